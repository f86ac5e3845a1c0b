-- A session lives `expires_at`, which moves with its use, and never beyond `ends_at`. Null: opened by a version that knew no
-- such limit; it ends when it was said to. `for_panel` is of a sign-in that waits for its second factor.
alter table sessions add column ends_at timestamptz;
alter table pending_sign_ins add column for_panel boolean not null default false;

-- A phone belongs to the session that registered it, and rings as long as that lives. It is no foreign key, because the rows of
-- sessions are deleted some time after their end, and an index on it would cost each launch of the app a write.
alter table mobile_devices add column session_id uuid;
update mobile_devices d set session_id = s.session_id
from (
  select distinct on (user_id) user_id, session_id from sessions where revoked_at is null
  order by user_id, coalesce(last_seen_at, created_at) desc, session_id) s
where s.user_id = d.user_id and d.removed_at is null;

-- A program that says no more than the token of its phone.
alter table mobile_devices drop constraint mobile_devices_platform_check;
alter table mobile_devices add constraint mobile_devices_platform_check
  check (platform in ('ios', 'android', 'unknown')) not valid;

alter table message_counts add column skipped_signed_out bigint not null default 0;
alter table skips drop constraint skips_reason_check;
alter table skips add constraint skips_reason_check
  check (reason in ('no_device', 'signed_out', 'opted_out', 'inactive', 'deleted', 'too_big', 'stopped', 'stale')) not valid;
