-- True when the password is known to have the 12 characters of an administrator (decision C2). False: shorter, or unknown.
alter table users add column has_long_password boolean not null default false;

-- From which site (IPv4 address or IPv6 /56) a session was opened, as a keyed hash: a login from there is not slowed (ADR 030).
alter table sessions add column site text;

-- The recipient of a message to one person: a purge of that person empties its content.
alter table messages add column recipient_id bigint references users on delete set null;
create index messages_recipient on messages (recipient_id) where recipient_id is not null;
update messages m set recipient_id = u.user_id
from batches b join users u on u.user_id = b.user_ids[1]
where b.message_id = m.message_id and m.audience = 'users' and cardinality(b.user_ids) = 1
  and not exists (select 1 from batches other where other.message_id = m.message_id and other.batch_id <> b.batch_id);

-- The audit log is chained by a keyed hash (ADR 022). Entries without `key_id` are from before, and chained by a plain one.
-- `times`: the number of equal calls that an entry counts. The subjects are those of its details, so that details that never
-- existed differ from details that were deleted.
alter table audit_log
  add column key_id            text,
  add column times             integer,
  add column change_subject_id bigint,
  add column origin_subject_id bigint;

-- The end of the log, signed; one row. New entries follow it, so cutting off the last entries leaves a gap.
-- `told_id`: the last entry that was written to the service's log.
create table audit_head (
  only_row boolean primary key default true check (only_row),
  audit_id bigint not null,
  hash     text not null,
  key_id   text not null,
  mac      text not null,
  told_id  bigint not null default 0
) with (fillfactor = 20);

-- The keys of the log, each sealed under the secrets that came after it, so that a rotated secret leaves it verifiable.
create table audit_keys (
  key_id        text not null,
  secret_id     text not null,
  sealed        bytea not null,
  registered_at timestamptz not null,
  primary key (key_id, secret_id)
);

-- Equal calls that are counted now; when their time is over, the count becomes one entry of the log. `entity_id`: as long as
-- all of them are about one record. `targets`: the records that they are about.
create table audit_repeats (
  fold_key   text primary key,
  actor_id   bigint,
  actor_role text,
  action     text not null,
  entity     text,
  entity_id  bigint,
  targets    text[] not null,
  times      integer not null,
  first_at   timestamptz not null,
  last_at    timestamptz not null,
  ends_at    timestamptz not null
) with (fillfactor = 70);
create index audit_repeats_end on audit_repeats (ends_at);

-- The request id is a detail now, as callers choose it.
create index audit_details_request on audit_details ((content ->> 'request_id')) where part = 'origin';
create index audit_details_nobody on audit_details (audit_id) where part = 'origin' and subject_id is null;

-- The number of active days of purged people by day and gap, for a recount of the histogram.
create table activity_forgotten_day (
  day date not null,
  gap smallint not null,
  n   bigint not null,
  primary key (day, gap)
);

-- People whose data a stored answer contains; null: none. A purge empties such an answer.
alter table idempotency_keys add column about bigint[];
create index idempotency_keys_about on idempotency_keys using gin (about) where about is not null;

-- What people wrote in records that others keep (decision C7): it goes in the transaction that deletes the people. Rows that
-- are theirs alone go by their foreign keys; swaps and the audit log forget by functions of their own. Besides (ADR 031):
-- messages to one of them alone, exports still to be made by a search that finds them, and kept answers that tell of them.
create or replace function forget_words_of(people bigint[]) returns void language sql as $$
  update product_reports set details = null where reporter_id = any(people) and details is not null;
  update product_reports set resolution_note = null where resolved_by = any(people) and resolution_note is not null;
  update moderation_actions set user_message = null, internal_note = null where actor_id = any(people);
  update messages set title = 'Deleted', body = 'This message was deleted with its sender.', data = null
    where sender_id = any(people) and type = 'non_promotional';
  update messages set title = 'Deleted', body = 'This message was deleted with its recipient.', data = null
    where recipient_id = any(people);
  update subscriptions set external_id = 'forgotten-' || subscription_id where user_id = any(people);
  update state_changes set note = null where actor_id = any(people) and note is not null;
  delete from groups g where owner_id = any(people) and not exists (
    select 1 from group_members m where m.group_id = g.group_id and m.status = 'approved' and m.user_id <> all(people));
  delete from idempotency_keys where caller in (select 'user:' || person from unnest(people) person);
  update idempotency_keys set answer = ''::bytea, about = null where about && people and about is not null;
  delete from exports e using users u
    where e.filter ? 'search' and u.user_id = any(people)
      and strpos(lower(u.username || ' ' || u.email || ' ' || u.name), lower(e.filter ->> 'search')) > 0;
$$;
