-- How many homes the ledger and the inbox are divided into (ADR 2); one row. It is fixed when the database is created, because
-- rows stay in the home of their person: (user_id >> 9) % homes. A database on one server has one home.
create table division (
  only_row boolean primary key default true check (only_row),
  homes    smallint not null check (homes between 1 and 64)
);
insert into division (homes) values (1);

-- Nothing of purged people of one home stays: the places in batches are nobody's then, and count as before (decision C7).
create function forget_copies(of_home smallint, people bigint[]) returns void language plpgsql as $$
declare
  person bigint;
  mine bigint[];
  unsent bigint[];
  messages_unsent bigint[];
begin
  select coalesce(array_agg(told.person), '{}'), coalesce(array_agg(told.message_id), '{}') into unsent, messages_unsent
    from (
      select p.person, s.message_id
      from unnest(people) p(person) join skips s on s.home = of_home and s.block = p.person / 64
      where p.person = any(s.user_ids)
      union
      -- A stop leaves no trace of those whom it left out but the batch.
      select p.person, m.message_id from unnest(people) p(person) join messages m on m.last_user_id >= p.person
      where m.audience <> 'users' and m.status = 'stopped') told;
  -- In the order in which claims lock them.
  mine := array(
    select b.batch_id from batches b
    where b.home = of_home and b.batch_id in (
      select held.batch_id
      from (
        select p.person, e.message_id
        from unnest(people) p(person) join entries e on e.home = of_home and e.user_id = p.person
        union
        select p.person, e.message_id
        from unnest(people) p(person) join bulk_entries e on e.home = of_home and e.block = p.person >> 9
        where 1 in (get_bit(e.members, (p.person & 511)::int), get_bit(e.reached, (p.person & 511)::int))
        union
        select * from unnest(unsent, messages_unsent)) addressed
      cross join lateral (
        select batch_id from batches b
        where b.home = of_home and b.message_id = addressed.message_id and b.first_user <= addressed.person
        order by b.first_user desc limit 1) held
      union
      select b.batch_id from work w join batches b on b.home = of_home and b.batch_id = w.batch_id
      where w.home = of_home and w.provider is null and b.user_ids && people)
    order by b.batch_id for update of b);
  update batches b set
      user_ids = array(
        select case when u = any(people) then 0 else u end from unnest(b.user_ids) with ordinality x(u, n) order by n),
      device_ids = array(select case when b.user_ids[1 + get_byte(b.facts, (n - 1)::int)] = any(people) then 0 else d end
        from unnest(b.device_ids) with ordinality x(d, n) order by n),
      first_user = coalesce((select min(u) from unnest(b.user_ids) u where u <> all(people) and u > 0), 0)
    where b.home = of_home and b.batch_id = any(mine);
  delete from entries where home = of_home and user_id = any(people);
  for person in select unnest(people) loop
    update bulk_entries
      set members = set_bit(members, (person & 511)::int, 0), reached = set_bit(reached, (person & 511)::int, 0)
      where home = of_home and block = person >> 9
        and 1 in (get_bit(members, (person & 511)::int), get_bit(reached, (person & 511)::int));
  end loop;
  delete from reactions where home = of_home and user_id = any(people);
  delete from inbox_marks where home = of_home and user_id = any(people);
end $$;

create function forget_skips(of_home smallint, people bigint[]) returns void language plpgsql as $$
declare
  blocks bigint[] := array(select distinct person / 64 from unnest(people) person);
begin
  update skips set user_ids = array(select user_id from unnest(user_ids) user_id where user_id <> all(people) order by user_id)
    where home = of_home and block = any(blocks) and user_ids && people;
  delete from skips where home = of_home and block = any(blocks) and user_ids = '{}';
end $$;

create or replace function forget_copies_of_users() returns trigger language plpgsql as $$
declare
  of_home smallint;
  people bigint[];
  is_divided boolean;
begin
  for of_home, people, is_divided in
    select (user_id >> 9) % homes, array_agg(user_id), homes > 1 from gone cross join division group by 1, homes order by 1
  loop
    perform forget_copies(of_home, people);
    -- A plain database has no such table (migrations/divided/home-messages.sql).
    if is_divided then
      update home_messages set recipient_id = null where home = of_home and recipient_id = any(people);
    end if;
  end loop;
  return null;
end $$;

create or replace function forget_skips_of_users() returns trigger language plpgsql as $$
declare
  of_home smallint;
  people bigint[];
begin
  for of_home, people in
    select (user_id >> 9) % homes, array_agg(user_id) from gone cross join division group by 1 order by 1
  loop
    perform forget_skips(of_home, people);
  end loop;
  return null;
end $$;
