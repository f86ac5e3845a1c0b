-- contract: locks writes for as long as an index takes: `messages` is read once. It may be built beforehand, with `concurrently`.
-- Finds the messages that an administrator caused in the last hour: above a number of people a second one must approve.
create index if not exists messages_caused on messages (sender_id, created_at)
  where origin in ('named', 'system', 'test', 'bulk');
drop index messages_by_named_sender;
