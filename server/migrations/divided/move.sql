-- What was set aside goes to the homes of its people. HOMES is a number.
create function pg_temp.home_of(person bigint, first_user bigint) returns bigint language sql immutable as
  -- Places of purged people stay with the first person of their batch.
  $$ select (coalesce(nullif(person, 0), first_user) >> 9) % HOMES $$;
-- Each row `r` becomes rows `p`, from which it has the columns `own`.
create function pg_temp.move(name text, own text[], parts text) returns void language plpgsql as $$ begin
  execute (
    select format('insert into %1$s select %2$s from plain_%1$s r cross join lateral (%3$s) p', name,
      string_agg(case when attname = any(own) then 'p.' else 'r.' end || attname, ', ' order by attnum), parts)
    from pg_attribute where attrelid = name::regclass and attnum > 0 and not attisdropped);
end $$;

-- Push counts and counts by way are sums over all people, which nobody compares with rows: they stay in the first home.
select pg_temp.move(name, '{home}', format('select (%s) %% HOMES as home', place))
from (
  select attrelid::regclass::text as name,
    case when bool_or(attname = 'user_id') then 'r.user_id >> 9'
      when attrelid = 'bulk_entries'::regclass then 'r.block'
      when bool_or(attname = 'block') then 'r.block >> 3' else '0' end as place
  from pg_attribute join pg_dist_partition on logicalrelid = attrelid and partmethod = 'h'
  group by attrelid) tables
where name not in ('batches', 'work', 'requests', 'message_counts', 'provider_counts', 'home_messages');

-- The home of its recipient has what it needs of a message, and all homes of one that has several.
do $do$ declare columns text; begin
  select string_agg(attname, ', ') into columns from pg_attribute
    where attrelid = 'home_messages'::regclass and attnum > 0 and not attisdropped and attname not in ('home', 'about');
  execute format($$
    insert into home_messages (home, about, %1$s)
    select n, case when about is not null then '{}'::jsonb end, %1$s from messages
    join generate_series(0, HOMES - 1) n on recipient_id is null or (recipient_id >> 9) %% HOMES = n $$, columns);
end $do$;
update messages set home_cursors = array_fill(cursor_user_id, array[HOMES])
  where coordinated_at is null and audience <> 'users';

-- A place of a batch is one copy, whatever the home. So people who are not decided yet get places beyond those that the
-- homes before may fill: nobody has more than 20 phones.
create temp table kept_free on commit drop as
  select batch_id, home, (20 * (sum(people) over (partition by batch_id order by home) - people))::int as places
  from (
    select batch_id, pg_temp.home_of(user_ids[1 + place], first_user) as home, count(*) as people
    from plain_work join plain_batches using (batch_id) cross join unnest(places) place
    where provider is null group by 1, 2) undecided;
create unique index on kept_free (batch_id, home);

-- A batch of several homes is in each, with the same places. Those of other homes are nobody's, as of purged people.
select pg_temp.move('batches', '{home,first_user,user_ids,device_ids,facts,tickets,long_tickets}', $$
  select home, user_ids, coalesce((select min(u) from unnest(user_ids) u where u > 0), 0) as first_user,
    case when is_whole then r.device_ids else
      array(select case user_ids[1 + get_byte(r.facts, n::int - 1)] when 0 then 0 else device_id end
        from unnest(r.device_ids) with ordinality copies(device_id, n) order by n)
      || array_fill(0::bigint, array[free]) end as device_ids,
    case free when 0 then r.facts else (
      select string_agg(substring(r.facts from plane * copies + 1 for copies) || decode(repeat(lpad(to_hex(
          case plane when 0 then array_position(user_ids, 0::bigint) - 1 else 0 end), 2, '0'), free), 'hex'),
        '' order by plane)
      from generate_series(0, 10) plane) end as facts,
    r.tickets || array_fill(uuid '00000000-0000-0000-0000-000000000000',
      array[case when r.long_tickets is null then free else 0 end]) as tickets,
    case when r.long_tickets is not null then r.long_tickets || array_fill(text '', array[free]) end as long_tickets
  from (
    select home, count(*) over () = 1 as is_whole
    from (select distinct pg_temp.home_of(u, r.first_user) as home from unnest(r.user_ids) u) homes) homes
  cross join lateral (
    select case when is_whole then r.user_ids else
        array(select case when pg_temp.home_of(u, r.first_user) = home then u else 0 end
          from unnest(r.user_ids) with ordinality people(u, n) order by n) end as user_ids,
      cardinality(r.device_ids) as copies,
      coalesce((
        select places from kept_free f where f.batch_id = r.batch_id and f.home = homes.home), 0) as free) part $$);

select pg_temp.move('work', '{home,places}', $$
  select home, array_agg(place order by n) as places
  from (
    select place, n, pg_temp.home_of(
      b.user_ids[1 + case when r.provider is null then place else get_byte(b.facts, place) end], b.first_user) as home
    from plain_batches b cross join unnest(r.places) with ordinality waiting(place, n)
    where b.batch_id = r.batch_id) waiting
  group by home $$);

-- Places of batches that were deleted since are left out, because nobody asks for them.
select pg_temp.move('requests', '{home,batch_ids,sizes,places,rounds}', $$
  select home, array_agg(batch_id order by n) filter (where is_first) as batch_ids,
    array_agg(size order by n) filter (where is_first) as sizes, array_agg(r.places[n] order by n) as places,
    string_agg(substring(r.rounds from n for 1), '' order by n) as rounds
  from (
    select home, batch_id, n, count(*) over own as size, n = min(n) over own as is_first
    from (
      select k, batch_id, n,
        coalesce(pg_temp.home_of(b.user_ids[1 + get_byte(b.facts, r.places[n])], b.first_user), 0) as home
      from (
        select *, sum(size) over (order by k)::int as last
        from unnest(r.batch_ids, r.sizes) with ordinality held(batch_id, size, k)) held
      left join plain_batches b using (batch_id) cross join generate_series(last - size + 1, last) n) copies
    window own as (partition by home, k)) copies
  group by home $$);

-- What was counted of a home moves there. What has no rows, as of purged people and deleted copies, stays in the first.
do $do$ declare one record; counts text; sums text; filled text; begin
  for one in
    select * from (values ('message_counts', 'message_id'), ('provider_counts', 'message_id, provider')) x(name, keys)
  loop
    select string_agg(attname, ', '), string_agg(format('sum(n * %s)', attname), ', '),
      string_agg(format('sum(n * %s) <> 0', attname), ' or ')
    into counts, sums, filled
    from pg_attribute where attrelid = one.name::regclass and attnum > 0 and not attisdropped
      and attname not in ('home', 'message_id', 'slot', 'provider');
    execute format('
      insert into %1$s (home, slot, %2$s, %3$s)
      select home, 0, %2$s, %4$s
      from (
        select home, %2$s, 1 as n, %3$s from plain_%1$s
        union all
        select moved.home, %2$s, moved.n, %3$s
        from counted_%1$s c cross join lateral (values (c.home, 1), (0, -1)) moved(home, n)) counted
      group by home, %2$s having %5$s', one.name, one.keys, counts, sums, filled);
  end loop;
end $do$;

-- All is there, or nothing happened.
do $do$ declare one record; before text; after text; begin
  for one in
    select logicalrelid::text as name, coalesce(sums, 'count(*)') as sums
    from pg_dist_partition left join (values
      ('batches', 'sum(cardinality(array_remove(user_ids, 0))), sum(cardinality(array_remove(device_ids, 0)))'),
      ('work', 'sum(cardinality(places))'),
      ('requests', 'sum(cardinality(places)), sum(length(rounds))'),
      ('message_counts', 'sum(selected), sum(notified), sum(notifications), sum(sent), sum(delivered), sum(opened)'),
      ('provider_counts', 'sum(accepted), sum(delivered), sum(failed), sum(gone), sum(opened)')) known(name, sums)
      on name = logicalrelid::text
    where partmethod = 'h' and logicalrelid <> 'home_messages'::regclass
  loop
    execute format('select concat_ws('' '', %s) from plain_%s', one.sums, one.name) into before;
    execute format('select concat_ws('' '', %s) from %s', one.sums, one.name) into after;
    if before is distinct from after then
      raise exception 'The sums of % differ: % before, % after. Nothing was changed.', one.name, before, after;
    end if;
  end loop;
end $do$;
