-- The events of each quarter of an hour, from which the hours and days of every time zone are summed (ADR 019). A job counts
-- one row for every quarter up to `insight_state.complete_until` from the original rows.
create table metric_buckets (
  bucket                    timestamptz primary key check (extract(epoch from bucket)::bigint % 900 = 0),
  accounts_created          integer not null default 0,
  active_change             integer not null default 0,
  inactive_change           integer not null default 0,
  products_listed           integer not null default 0,
  swaps_requested           integer not null default 0,
  swaps_accepted            integer not null default 0,
  swaps_completed           integer not null default 0,
  requests_completed_in_30d integer not null default 0,
  messages_sent             integer not null default 0,
  pushes_sent               integer not null default 0,
  pushes_delivered          integer not null default 0,
  pushes_opened             integer not null default 0
);

-- One row: up to when the buckets are counted, and the number of accounts at one time. The changes since then, or until
-- then, give the number at any other time.
create table insight_state (
  only_row        boolean primary key default true check (only_row),
  complete_until  timestamptz,
  healed_at       timestamptz,
  counted_at      timestamptz not null default '-infinity',
  active_count    bigint not null default 0,
  inactive_count  bigint not null default 0
);
insert into insight_state default values;

-- Pushes in the quarter of an hour in which they were accepted, delivered or opened, added in the transaction that
-- stored it, in sixteen slots (ADR 005). Notifications have no index on time.
create table push_counts (
  bucket    timestamptz not null,
  slot      smallint not null,
  sent      integer not null default 0,
  delivered integer not null default 0,
  opened    integer not null default 0,
  primary key (bucket, slot)
) with (fillfactor = 50);

-- Each change of an account's state: its creation, its history, and a deletion without history. `place` orders changes of
-- the same time.
create view account_changes as
select u.user_id, u.created_at as at, 0::bigint as place, null::text as from_state,
  coalesce((select coalesce(c.from_state, c.to_state) from state_changes c
    where c.entity = 'user' and c.entity_id = u.user_id order by c.state_change_id limit 1), u.status) as to_state
from users u
union all
select c.entity_id, c.at, c.state_change_id, c.from_state, c.to_state from state_changes c where c.entity = 'user' and c.from_state is not null
union all
select u.user_id, u.deleted_at, 9223372036854775807, u.status, 'deleted' from users u
where u.deleted_at is not null
  and coalesce((select c.to_state from state_changes c
    where c.entity = 'user' and c.entity_id = u.user_id order by c.state_change_id desc limit 1), '') <> 'deleted';

create index state_changes_user_at on state_changes (at) where entity = 'user';
create index swap_messages_at on swap_messages using brin (created_at) with (pages_per_range = 32, autosummarize = on);
-- Users who were active for the first time, by day: few of the histogram's many rows.
create index activity_gap_day_new on activity_gap_day (day) include (n) where gap = 9999;

insert into push_counts (bucket, slot, sent, delivered, opened)
select date_bin('15 minutes', e.at, timestamptz 'epoch'), 0, sum(e.sent), sum(e.delivered), sum(e.opened)
from notifications n cross join lateral (values
  (n.sent_at, 1, 0, 0), (case when n.is_delivered then n.settled_at end, 0, 1, 0), (n.opened_at, 0, 0, 1)) e(at, sent, delivered, opened)
where e.at is not null
group by 1;
