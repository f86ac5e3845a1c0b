-- A push about a chat line: a badge counts the line, not the push too.
alter table messages add column is_chat boolean not null default false;
update messages set is_chat = true where origin = 'automatic' and data ->> 'event' = 'new_message';

-- Whose badge may have changed, written with the change. A worker takes the rows, counts, and removes them. Nothing is
-- updated here and nobody waits for a lock.
create table badge_marks (
  urgent     boolean not null,
  mark_id    bigint generated always as identity,
  user_ids   bigint[] not null check (cardinality(user_ids) between 1 and 250),
  primary key (urgent, mark_id)
);

-- The badge of a user as it was counted last, and how far the realtime database has it.
create table badges (
  user_id         bigint primary key references users on delete cascade,
  -- Grows with each change of the numbers; milliseconds since the epoch, so that it grows over a restored backup too.
  version         bigint not null default 0,
  notifications   integer not null default 0,
  chats           jsonb not null default '{}',
  total           integer not null default 0,
  updated_at      timestamptz not null,
  -- When it is to be written to the realtime database; null: nothing to write. In the future while a worker writes it.
  write_due_at    timestamptz,
  write_attempts  smallint not null default 0,
  begun_version   bigint not null default 0,
  written_version bigint not null default 0,
  etag            text
) with (fillfactor = 70);
create index badges_write_due on badges (write_due_at) where write_due_at is not null;

-- Nodes of purged users that must be removed from the realtime database.
create table badge_removals (
  user_id  bigint primary key,
  due_at   timestamptz not null,
  attempts smallint not null default 0
);
create index badge_removals_due on badge_removals (due_at);
