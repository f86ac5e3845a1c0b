-- Who was active on which UTC day, one row for the first call of the day. No foreign key: the rows are many, and the
-- histogram outlives the account. The key begins with the day, so the table can be divided by it.
create table user_activity_day (
  day     date not null,
  user_id bigint not null,
  -- Days since the user's active day before this one; 9999: there was none, or it is longer ago.
  gap     smallint not null check (gap between 1 and 9999),
  primary key (day, user_id)
);

-- How many users of a day came after which gap: all that exact daily, weekly and monthly users take.
create table activity_gap_day (
  day date not null,
  gap smallint not null,
  n   bigint not null,
  -- A year of days is read from the key alone.
  primary key (day, gap) include (n)
);

alter table users
  add column if not exists last_active_at timestamptz,
  add column if not exists last_active_day date;
-- Leaves room on each page, so that the day's update of a row stays on it.
alter table users set (fillfactor = 85);
