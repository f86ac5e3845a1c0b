create extension if not exists pg_trgm;

-- The number of rows in a list for each combination of its usual filters, the facets (ADR 13). A total is the sum of `n`
-- over the rows of a list whose facets match. Writers only append, so none waits for another. Sometimes a writer adds up a
-- few hundred rows of its list, except those that another writer has locked.
create table list_counts (
  list   text not null,
  facets text[] not null,
  n      bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create function merge_list_counts(merged text) returns void language plpgsql as $$
begin
  -- In the other isolation levels rows that others have merged since would be an error.
  if random() > 0.02 or current_setting('transaction_isolation') <> 'read committed' then return; end if;
  with taken as (
    delete from list_counts where ctid = any(array(select ctid from list_counts where list = merged limit 500 for update skip locked))
    returning facets, n)
  insert into list_counts (list, facets, n) select merged, facets, sum(n) from taken group by 2 having sum(n) <> 0;
end $$;

-- Counters of the rate limiter. They need not survive a crash, so the table is unlogged.
create unlogged table rate_limits (
  key          text not null,
  window_start timestamptz not null,
  hits         integer not null,
  expires_at   timestamptz not null,
  primary key (key, window_start)
);
create index rate_limits_expiry on rate_limits (expires_at);

create table idempotency_keys (
  caller      text not null,
  route       text not null,
  key         varchar(255) not null,
  body_hash   bytea not null,
  claim_until timestamptz not null,
  status_code smallint,
  answer      bytea,
  -- People whose data the answer contains; null: none. A purge empties such an answer.
  about       bigint[],
  expires_at  timestamptz not null,
  primary key (caller, route, key)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);
create index idempotency_keys_about on idempotency_keys using gin (about) where about is not null;

-- Who did what (decision C14). Each row contains the hash of the row before, keyed (ADR 12), and is never changed. Data about
-- people is in another table; the row holds its salted digest, so a person's data can be deleted and the chain stays valid.
-- `times`: the number of equal calls that an entry counts. The subjects are those of its details, so that details that never
-- existed differ from details that were deleted.
create table audit_log (
  audit_id          bigint primary key,
  at                timestamptz not null,
  actor_id          bigint,
  actor_role        text,
  action            text not null,
  entity            text,
  entity_id         bigint,
  times             integer,
  change_digest     text,
  change_subject_id bigint,
  origin_digest     text,
  origin_subject_id bigint,
  previous_hash     text not null,
  key_id            text not null,
  hash              text not null
);
create index audit_log_at on audit_log (at, audit_id);
create index audit_log_actor on audit_log (actor_id, audit_id);
create index audit_log_entity on audit_log (entity, entity_id, audit_id);
create index audit_log_action on audit_log (action, audit_id);

create table audit_details (
  audit_id   bigint not null references audit_log,
  part       text not null check (part in ('change', 'origin')),
  subject_id bigint,
  salt       text not null,
  content    jsonb not null,
  primary key (audit_id, part)
);
create index audit_details_subject on audit_details (subject_id);
create index audit_details_request on audit_details ((content ->> 'request_id')) where part = 'origin';
create index audit_details_nobody on audit_details (audit_id) where part = 'origin' and subject_id is null;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is only ever appended to', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger audit_log_is_appended_to before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
create trigger audit_details_are_not_changed before update or truncate on audit_details
  for each statement execute function refuse_change();

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
