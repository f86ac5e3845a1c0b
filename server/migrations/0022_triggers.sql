-- What a message is about, so that it can be checked just before it is sent (ADR 042). `event` is the kind of event, for
-- the preferences; `about` names the record and the state in which the message is worth sending; `merge_key` names what
-- later messages to the same person replace; `merges` counts the events that it tells of. `sleeps_until`: nothing of the
-- message is due before that. The constraint is not checked against the rows there are, for they hold null.
alter table messages
  add column event text,
  add column about jsonb,
  add column merge_key text,
  add column merges integer not null default 1,
  add column sleeps_until timestamptz;
alter table messages add constraint messages_event
  check (event in ('swap_match', 'new_message', 'swap_status', 'group_join_request', 'system')) not valid;
alter table messages drop constraint messages_origin;
alter table messages add constraint messages_origin
  check (origin in ('bulk', 'named', 'test', 'group_join', 'automatic', 'system')) not valid;

-- The latest message of a person with a key.
create index messages_merged on messages (recipient_id, merge_key, started_at) where merge_key is not null;
-- There may be as many sleeping messages as sleeping people, so the index that each claim reads leaves them out. Processes of
-- the version before use messages_unfinished meanwhile.
create index messages_asleep on messages (sleeps_until) where sleeps_until is not null;
drop index messages_running;
create index messages_running on messages (lane, created_at, message_id)
  where status in ('queued', 'sending') and sleeps_until is null;

-- Users who were skipped because the event was over.
alter table message_counts add column skipped_stale bigint not null default 0;
alter table skips drop constraint skips_reason_check;
alter table skips add constraint skips_reason_check
  check (reason in ('no_device', 'opted_out', 'inactive', 'deleted', 'too_big', 'stopped', 'stale')) not valid;

-- Push preferences of users, besides the switch in user_settings. Only users who changed something have a row, so a claim
-- sees at once that none of its users has. Quiet hours are minutes of the day in the user's time zone; if they end before
-- they start, they go over midnight.
create table push_preferences (
  user_id      bigint primary key references users on delete cascade,
  muted        text[] not null default '{}',
  quiet_start  smallint check (quiet_start between 0 and 1439),
  quiet_end    smallint check (quiet_end between 0 and 1439),
  quiet_except text[] not null default '{}',
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  check (num_nonnulls(quiet_start, quiet_end) <> 1 and (quiet_start is null or quiet_start <> quiet_end))
);
