-- Who asks for the product in a waiting proposal. Nobody may ask twice for one product.
alter table swap_items add column asked_by bigint;
create unique index swap_items_asked on swap_items (asked_by, product_id) where asked_by is not null;

-- Two people who like a product of each other; they are notified once (decision D).
create table matches (
  first_user_id  bigint not null references users on delete cascade,
  second_user_id bigint not null references users on delete cascade,
  created_at     timestamptz not null,
  primary key (first_user_id, second_user_id),
  check (first_user_id < second_user_id)
);
create index matches_second on matches (second_user_id);

-- The events of the stores, so that an event that arrives twice counts once.
create table subscription_events (
  provider        text not null,
  event_id        text not null,
  subscription_id bigint not null references subscriptions on delete cascade,
  received_at     timestamptz not null,
  primary key (provider, event_id)
);
create index subscription_events_subscription on subscription_events (subscription_id);

-- The orders of the reports. A swap without the time is sorted as the oldest.
create index swaps_created on swaps (created_at, swap_id);
create index swaps_accepted on swaps ((coalesce(accepted_at, '-infinity'::timestamptz)), swap_id);
create index swaps_completed on swaps ((coalesce(completed_at, '-infinity'::timestamptz)), swap_id);
create index swaps_status on swaps (status, created_at, swap_id);
create index swaps_group_created on swaps (group_id, created_at, swap_id) where group_id is not null;
drop index swaps_group;
create index subscriptions_started on subscriptions (started_at, subscription_id);
create index subscriptions_period_end on subscriptions (current_period_end, subscription_id);

-- Quarters of an hour between two times, for medians (ADR 018). Rounded down to a quarter up to 12 hours, to an hour up to
-- 3 days, to 6 hours up to 30 days, and to a day above.
create function quarters_between(earlier timestamptz, later timestamptz) returns integer
  language sql immutable parallel safe strict
  return (
    case
      when later - earlier < interval '12 hours' then greatest(0, floor(extract(epoch from later - earlier) / 900))
      when extract(epoch from later - earlier) < 259200 then floor(extract(epoch from later - earlier) / 3600) * 4
      when extract(epoch from later - earlier) < 2592000 then floor(extract(epoch from later - earlier) / 21600) * 24
      else floor(extract(epoch from later - earlier) / 86400) * 96
    end)::integer;

-- The number of swaps of a UTC day and of a month (ADR 018): by the event that dates them (`basis`), by origin, and by a
-- measure, which is a status, or the quarters of an hour until the first response or completion. A number is the sum of
-- tallies and changes. Changes are only appended, so no two swaps wait for each other; a job folds them into the tallies.
create table swap_tallies (
  span     text not null check (span in ('day', 'month')),
  basis    text not null,
  day      date not null,
  origin   text not null,
  measure  text not null,
  quarters integer not null,
  n        bigint not null,
  primary key (span, basis, day, origin, measure, quarters)
) with (fillfactor = 70);
create table swap_tally_changes (
  basis    text not null,
  day      date not null,
  origin   text not null,
  measure  text not null,
  quarters integer not null,
  n        bigint not null
);

-- The tallies that count a swap.
create function cells_of(swap swaps) returns table (basis text, day date, origin text, measure text, quarters integer)
  language sql immutable parallel safe
  begin atomic
    select b.basis, (b.at at time zone 'UTC')::date, (swap).origin, m.measure, m.quarters
    from (values ('created', (swap).created_at), ('accepted', (swap).accepted_at), ('completed', (swap).completed_at)) b(basis, at),
      (values ((swap).status, 0), ('to_response', quarters_between((swap).created_at, (swap).responded_at)),
        ('to_complete', quarters_between((swap).created_at, (swap).completed_at))) m(measure, quarters)
    where b.at is not null and m.quarters is not null;
  end;

create function tally_swaps() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into swap_tally_changes
    select c.*, count(*) from after a cross join lateral cells_of(a) c group by 1, 2, 3, 4, 5;
  elsif tg_op = 'DELETE' then
    insert into swap_tally_changes
    select c.*, -count(*) from before b cross join lateral cells_of(b) c group by 1, 2, 3, 4, 5;
  else
    insert into swap_tally_changes
    select basis, day, origin, measure, quarters, sum(n)
    from (
      select c.*, 1 as n from after a cross join lateral cells_of(a) c
      union all select c.*, -1 from before b cross join lateral cells_of(b) c) changed
    group by 1, 2, 3, 4, 5 having sum(n) <> 0;
  end if;
  return null;
end $$;
create trigger swaps_are_tallied_in after insert on swaps
  referencing new table as after for each statement execute function tally_swaps();
create trigger swaps_are_tallied_over after update on swaps
  referencing old table as before new table as after for each statement execute function tally_swaps();
create trigger swaps_are_tallied_out after delete on swaps
  referencing old table as before for each statement execute function tally_swaps();

-- The first fold makes tallies of them.
insert into swap_tally_changes
select c.*, count(*) from swaps s cross join lateral cells_of(s) c group by 1, 2, 3, 4, 5;
