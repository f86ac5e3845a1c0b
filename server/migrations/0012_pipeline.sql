-- A table can be divided among servers by a column of its key (ADR 027). With 100 million rows, build the index beforehand,
-- while the service runs: create unique index concurrently notifications_by_user on notifications
-- (user_id, notification_id). Then this migration only takes the lock.
create unique index if not exists notifications_by_user on notifications (user_id, notification_id);
alter table notifications drop constraint notifications_pkey;
alter table notifications add constraint notifications_pkey primary key using index notifications_by_user;

-- Each connection takes 50 ids at a time, so ids are not in the order of time. The version before uses the indexes
-- messages_promotional and messages_unfinished; a later migration drops them.
create index messages_newest_campaigns on messages (created_at, message_id) where type = 'promotional';
create index messages_running on messages (lane, created_at, message_id) where status in ('queued', 'sending');

-- Users who have a copy. Nobody waits for a finished message, so only running messages are counted.
alter table message_counts add column notified bigint not null default 0;
update message_counts c set notified = n.users
from (
  select message_id, count(distinct user_id) as users from notifications
  where message_id in (select message_id from messages where status in ('queued', 'sending', 'paused'))
  group by message_id) n
where c.message_id = n.message_id and c.slot = (select min(slot) from message_counts where message_id = n.message_id);
