-- Which call wrote a message: a test send is repeated by a test send alone. Messages from before have none. The constraint
-- is not checked against the rows there are, for they hold null.
alter table messages add column origin text;
alter table messages add constraint messages_origin
  check (origin in ('bulk', 'named', 'test', 'group_join', 'automatic')) not valid;
create index messages_tests on messages (sender_id, created_at) where origin = 'test';
