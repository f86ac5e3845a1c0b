-- contract: renames what is in use: the partitioned table takes the name in the same transaction.
-- Notifications are kept in partitions by the month of their message, so that a month is let go as a whole (ADR 051). The
-- table there is becomes the default partition: it takes whatever no other partition does, also copies without `message_at`. No
-- row is read or moved. The partitions of the months to come are made by a worker, which writes them down below. Processes
-- of the version before need not know: they find the copies of all partitions under the same name.

-- A statement on the way of a push looks in the partition of its message. Copies that may still be on their way get its time.
update notifications n set message_at = m.created_at
from messages m
where n.message_id = m.message_id and n.message_at is null
  and (m.status in ('queued', 'sending', 'paused') or m.completed_at > now() - interval '3 days');

alter table notifications rename to notifications_first;
alter index notifications_pkey rename to notifications_first_pkey;
alter index notifications_recipient rename to notifications_first_recipient;
alter index notifications_message rename to notifications_first_message;
alter index notifications_unread rename to notifications_first_unread;
alter index notifications_opened rename to notifications_first_opened;

create table notifications (like notifications_first including defaults including constraints)
  partition by range (message_at);
-- The two unique keys are each partition's own: all copies of a message are in one partition, and ids come from one sequence.
create index notifications_message on notifications (message_id, notification_id);
create index notifications_unread on notifications (user_id, (coalesce(message_at, created_at)), message_id)
  where not is_open and deleted_at is null;
create index notifications_opened on notifications (user_id, (coalesce(message_at, created_at)), message_id)
  where is_open and deleted_at is null;
alter table notifications attach partition notifications_first default;

-- The partitions, also those that are gone. The one without `made_to` is open: it takes all later messages too.
create table notification_partitions (
  name        text primary key,
  -- Of messages made from here on; null: from the beginning, and copies that do not say when.
  made_from   timestamptz,
  -- Of messages made before this; null: the partition is open.
  made_to     timestamptz,
  -- Since when its notifications cannot be found any more; null: they can.
  let_go_at   timestamptz,
  -- Users with unread copies were marked for a recount of their badge up to this user.
  counted_to  bigint not null default 0,
  -- When its table was deleted.
  dropped_at  timestamptz,
  -- The unfinished message for which it is kept longer.
  held_by     bigint
);
insert into notification_partitions (name) values ('notifications_first');
