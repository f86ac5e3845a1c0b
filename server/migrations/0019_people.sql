-- A person's blocks, newest first.
create index user_blocks_newest on user_blocks (blocker_id, created_at, blocked_id);

-- The inbox, newest first by when the message was made: ids are not in the order of time, and the copies of several
-- messages may have one time (decision B18). Copies from before have no `message_at` and stand by their own time. Of each
-- copy one of the two indexes has a row; a ticket or a receipt touches neither. With 100 million rows, make both
-- beforehand, once the column is there, with `create index concurrently`.
alter table notifications add column if not exists message_at timestamptz;
create index if not exists notifications_unread on notifications (user_id, (coalesce(message_at, created_at)), message_id)
  where not is_open and deleted_at is null;
create index if not exists notifications_opened on notifications (user_id, (coalesce(message_at, created_at)), message_id)
  where is_open and deleted_at is null;

-- A group says how many it has, so that a list needs no count. Kept by the triggers below, whoever writes members.
alter table groups
  add column version       integer not null default 1,
  add column member_count  integer not null default 0,
  add column pending_count integer not null default 0;
alter table group_members drop constraint group_members_status_check;
alter table group_members add constraint group_members_status_check
  check (status in ('invited', 'pending', 'approved', 'rejected', 'left', 'banned'));
update groups g set member_count = n.members, pending_count = n.pending
from (
  select group_id, count(*) filter (where status = 'approved') as members, count(*) filter (where status = 'pending') as pending
  from group_members group by group_id) n
where n.group_id = g.group_id;

create function count_members(moved bigint[], members integer[], pending integer[]) returns void language plpgsql as $$
begin
  -- In one order, so that two who count do not wait for each other in a circle.
  perform from groups where group_id = any(moved) order by group_id for no key update;
  update groups g set member_count = member_count + d.members, pending_count = pending_count + d.pending
  from unnest(moved, members, pending) d(group_id, members, pending)
  where g.group_id = d.group_id and (d.members <> 0 or d.pending <> 0);
end $$;
create function count_new_members() returns trigger language plpgsql as $$
begin
  perform count_members(array_agg(group_id), array_agg(members), array_agg(pending)) from (
    select group_id, count(*) filter (where status = 'approved')::int as members,
      count(*) filter (where status = 'pending')::int as pending
    from new_members group by group_id) d;
  return null;
end $$;
create function count_moved_members() returns trigger language plpgsql as $$
begin
  perform count_members(array_agg(group_id), array_agg(members), array_agg(pending)) from (
    select group_id, coalesce(sum(n) filter (where status = 'approved'), 0)::int as members,
      coalesce(sum(n) filter (where status = 'pending'), 0)::int as pending
    from (select group_id, status, 1 as n from new_members union all select group_id, status, -1 from old_members) m
    group by group_id) d;
  return null;
end $$;
create function count_lost_members() returns trigger language plpgsql as $$
begin
  perform count_members(array_agg(group_id), array_agg(members), array_agg(pending)) from (
    select group_id, -count(*) filter (where status = 'approved')::int as members,
      -count(*) filter (where status = 'pending')::int as pending
    from old_members group by group_id) d;
  return null;
end $$;
create trigger group_members_are_counted after insert on group_members
  referencing new table as new_members for each statement execute function count_new_members();
create trigger group_members_are_recounted after update on group_members
  referencing old table as old_members new table as new_members for each statement execute function count_moved_members();
create trigger group_members_are_discounted after delete on group_members
  referencing old table as old_members for each statement execute function count_lost_members();

create index groups_newest on groups (created_at, group_id) where status = 'active' and visibility = 'public';
create index groups_created on groups (created_at, group_id);
create index groups_text on groups using gin ((' ' || name || ' ' || coalesce(description, '')) gin_trgm_ops);
create index group_members_approved on group_members (group_id, user_id) where status = 'approved';
create index group_members_waiting on group_members (group_id, requested_at, user_id) where status = 'pending';

alter table state_changes drop constraint state_changes_entity_check;
alter table state_changes add constraint state_changes_entity_check check (entity in
  ('user', 'product', 'verification', 'swap', 'report', 'subscription', 'group_member', 'group', 'user_report')) not valid;

-- When the store event happened that a subscription follows, so that a late one changes nothing.
alter table subscriptions add column store_event_at timestamptz;
