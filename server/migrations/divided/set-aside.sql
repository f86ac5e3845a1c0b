-- `manage divide` runs this, divide.sql and move.sql in one transaction (ADR 2). HOMES is a number.
set local work_mem = '256MB';

-- What counters have of each home, as far as there are rows.
create temp table counted_message_counts (like message_counts including defaults) on commit drop;
create temp table counted_provider_counts (like provider_counts including defaults) on commit drop;
insert into counted_message_counts (home, message_id, slot, selected)
  select (user_id >> 9) % HOMES, message_id, 0, count(*) from batches cross join unnest(user_ids) user_id
  where user_id > 0 group by 1, 2;
insert into counted_message_counts
    (home, message_id, slot, notified, notifications, sent, delivered, opened, failed, possible_duplicates)
  select (user_id >> 9) % HOMES, message_id, 0, count(distinct user_id), count(*), count(*) filter (where is_send),
    count(*) filter (where is_delivered), count(*) filter (where is_open),
    count(*) filter (where settled_at is not null and is_delivered is not true), sum(possible_duplicates)
  from notifications group by 1, 2;
insert into counted_provider_counts (home, message_id, slot, provider, accepted, delivered, failed, gone, opened)
  select (user_id >> 9) % HOMES, message_id, 0, provider, count(*) filter (where is_send),
    count(*) filter (where is_delivered), count(*) filter (where settled_at is not null and is_delivered is not true),
    count(*) filter (
      where settled_at is not null and is_delivered is not true and error_message = 'DeviceNotRegistered'),
    count(*) filter (where is_open)
  from notifications where message_id in (select message_id from provider_counts) group by 1, 2, 4;
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
