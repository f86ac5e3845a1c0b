-- `manage divide` runs this, divide.sql and move.sql in one transaction (ADR 2). HOMES is a number.
set local work_mem = '256MB';

-- What counters have of each home, as far as there are rows.
create temp table counted_message_counts (like message_counts including defaults) on commit drop;
create temp table counted_provider_counts (like provider_counts including defaults) on commit drop;
insert into counted_message_counts (home, message_id, slot, selected, notified)
  select (user_id >> 9) % HOMES, message_id, 0, count(*), count(*) filter (
    where position(set_byte('\x00', 0, place::int - 1) in substring(facts for cardinality(device_ids))) > 0)
  from batches cross join unnest(user_ids) with ordinality people(user_id, place) where user_id > 0 group by 1, 2;
-- PostgreSQL takes the groups for as many as the copies, and would write 1 kB of each to sort them.
set local enable_sort = off;
create temp table counted_copies on commit drop as
  select (user_id >> 9) % HOMES as home, message_id, provider, count(*) as copies,
    count(*) filter (where is_send) as sent, count(*) filter (where is_delivered) as delivered,
    count(*) filter (where settled_at is not null and is_delivered is not true) as failed,
    count(*) filter (
      where settled_at is not null and is_delivered is not true and error_message = 'DeviceNotRegistered') as gone,
    count(*) filter (where is_open) as opened, sum(possible_duplicates) as doubles
  from notifications group by 1, 2, 3;
reset enable_sort;
insert into counted_message_counts
    (home, message_id, slot, notifications, sent, delivered, opened, failed, possible_duplicates)
  select home, message_id, 0, copies, sent, delivered, opened, failed, doubles from counted_copies;
insert into counted_provider_counts (home, message_id, slot, provider, accepted, delivered, failed, gone, opened)
  select home, message_id, 0, provider, sent, delivered, failed, gone, opened from counted_copies
  where message_id in (select message_id from provider_counts);
do $do$ declare name text; begin
  for name in select distinct reason from skips loop
    execute format('insert into counted_message_counts (home, message_id, slot, skipped_%s)
      select (user_id >> 9) %% HOMES, message_id, 0, count(*) from skips cross join unnest(user_ids) user_id
      where reason = %L group by 1, 2', name, name);
  end loop;

  -- Temporary tables write no log. Rows of batches stay as they are, neither compressed nor out of line.
  for name in
    select relname from pg_attribute join pg_class c on c.oid = attrelid
    where attname = 'home' and relkind = 'r' and relnamespace = 'public'::regnamespace
  loop
    execute format('create temp table plain_%1$s (like %1$s including storage) with (toast_tuple_target = 8160)
      on commit drop', name);
    execute format('insert into plain_%1$s select * from %1$s', name);
    execute format('truncate %s', name);
  end loop;
end $do$;
create unique index on plain_batches (batch_id);
analyze plain_batches, plain_work, plain_requests;
