-- The order of the report: most open reports first, then most undecided reports.
create index reported_products_by_open on reported_products (open_count, undecided_count, last_reported_at, product_id);

-- How many accounts were deleted on a UTC day, by the UTC day on which they were last active, less those that were restored on
-- it. The histogram of gaps counts active users whether they are accounts or not; with this it follows how many of them are (ADR
-- 019). It holds numbers alone, so it stays when the accounts are purged. Kept by the triggers below, and written by nothing else.
create table activity_exit_day (
  day             date not null,
  last_active_day date not null,
  n               bigint not null,
  primary key (day, last_active_day)
);

create function count_account_exit() returns trigger language plpgsql as $$
declare
  gone boolean := tg_op = 'UPDATE' and old.deleted_at is not null and old.last_active_day is not null;
begin
  -- What was counted of a deleted account is taken back: on the day of its restoration, or, when only its last day of
  -- activity was stored late, on the day of its deletion.
  if gone then
    insert into activity_exit_day as e (day, last_active_day, n)
    values ((coalesce(new.deleted_at, new.updated_at) at time zone 'UTC')::date, old.last_active_day, -1)
    on conflict (day, last_active_day) do update set n = e.n - 1;
  end if;
  if new.deleted_at is not null and new.last_active_day is not null then
    insert into activity_exit_day as e (day, last_active_day, n)
    values ((new.deleted_at at time zone 'UTC')::date, new.last_active_day, 1)
    on conflict (day, last_active_day) do update set n = e.n + 1;
  end if;
  return null;
end $$;
create trigger users_are_counted_out after insert on users
  for each row when (new.deleted_at is not null) execute function count_account_exit();
create trigger users_are_counted_out_or_in after update of deleted_at, last_active_day on users
  for each row when ((old.deleted_at is null) <> (new.deleted_at is null)
    or new.deleted_at is not null and old.last_active_day is distinct from new.last_active_day)
  execute function count_account_exit();

insert into activity_exit_day (day, last_active_day, n)
select (deleted_at at time zone 'UTC')::date, last_active_day, count(*) from users
where deleted_at is not null and last_active_day is not null group by 1, 2;
