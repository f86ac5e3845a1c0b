-- contract: locks writes for as long as an index takes: `messages` is read once. It may be built beforehand, with `concurrently`.
-- The sends to named users of one sender in an hour, which a second administrator may have to approve. They are few among all messages.
create index if not exists messages_by_named_sender on messages (sender_id, created_at)
  where audience = 'users' and origin in ('named', 'system');
