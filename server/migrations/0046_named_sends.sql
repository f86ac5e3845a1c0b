-- contract: locks writes for as long as an index takes: `messages` is read once. It may be built beforehand, with `concurrently`.
-- Counts how many named users a sender reached in the last hour: above a limit a second administrator must approve.
create index if not exists messages_by_named_sender on messages (sender_id, created_at)
  where audience = 'users' and origin in ('named', 'system');
