-- What one side of a swap received of the other in their chat, and has not read. A row exists from the first line on that
-- the side received. Each number changes in the transaction of the line or of the reading, so it is that of the rows.
create table chat_sides (
  swap_id    bigint not null references swaps on delete cascade,
  user_id    bigint not null references users on delete cascade,
  received   integer not null,
  unread     integer not null,
  -- All lines up to this one are read, so a reading begins here.
  read_up_to bigint not null default 0,
  primary key (swap_id, user_id),
  check (unread between 0 and received)
) with (fillfactor = 70);
create index chat_sides_user on chat_sides (user_id, swap_id);

insert into chat_sides (swap_id, user_id, received, unread, read_up_to)
select m.swap_id, case m.sender_id when s.requester_id then s.owner_id else s.requester_id end, count(*), count(*) filter (where m.read_at is null),
  coalesce(min(m.swap_message_id) filter (where m.read_at is null) - 1, max(m.swap_message_id))
from swap_messages m join swaps s using (swap_id)
where s.requester_id is not null and s.owner_id is not null
group by 1, 2;

-- Leaves room on each page, because a reading soon changes new lines.
alter table swap_messages set (fillfactor = 85);

-- A dispute about a swap: why it was opened, how an administrator or an invalidation ended it.
create table swap_disputes (
  swap_id     bigint primary key references swaps on delete cascade,
  side        text check (side in ('requester', 'owner')),
  reason      text,
  opened_at   timestamptz not null,
  resolution  text check (resolution in ('completed', 'cancelled', 'invalidated')),
  note        text,
  resolved_by bigint references users on delete set null,
  resolved_at timestamptz,
  check ((resolution is null) = (resolved_at is null))
);
create index swap_disputes_open on swap_disputes (opened_at, swap_id) where resolved_at is null;
create index swap_disputes_resolved_by on swap_disputes (resolved_by) where resolved_by is not null;

-- Who opened an earlier dispute, and why, was not stored.
insert into swap_disputes (swap_id, opened_at) select swap_id, updated_at from swaps where status = 'disputed';

-- The open swaps of a person, however many are over; and whether two people ever agreed on one.
create index swaps_requester_open on swaps (requester_id, swap_id) where status in ('pending', 'countered', 'accepted', 'disputed');
create index swaps_owner_open on swaps (owner_id, swap_id) where status in ('pending', 'countered', 'accepted', 'disputed');
create index swaps_agreed on swaps (least(requester_id, owner_id), greatest(requester_id, owner_id)) where accepted_at is not null;
