-- contract: locks writes for as long as an index takes: skips are a row for 64 users, some seconds for ten million people.
-- Skips are deleted with the details of their messages (ADR 051), oldest first.
create index skips_created on skips (created_at);
