-- Skips are deleted with the details of their messages (ADR 051), oldest first.
create index skips_created on skips (created_at);
