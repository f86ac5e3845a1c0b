-- contract: locks writes for as long as an index takes: four of them, 8 s for a million users. They may be built beforehand, with `concurrently`.
-- A range of registrations in another order passes many users who are not in it. With the time in the index it does so without
-- a look at the table (ADR 063).
create index if not exists users_of_role on users (role, user_id)
  include (status, is_test_user, email_verified_at, deleted_at, created_at);
create index if not exists users_of_status on users (status, user_id)
  include (role, is_test_user, email_verified_at, deleted_at, created_at);
create index if not exists users_last_active on users (last_active_at desc nulls last, user_id desc)
  include (status, role, is_test_user, email_verified_at, deleted_at, created_at);
create index if not exists users_updated on users (updated_at, user_id)
  include (status, role, is_test_user, email_verified_at, deleted_at, created_at);
drop index users_by_role, users_by_status, users_by_last_active, users_by_updated;
alter index users_of_role rename to users_by_role;
alter index users_of_status rename to users_by_status;
alter index users_last_active rename to users_by_last_active;
alter index users_updated rename to users_by_updated;
