-- contract: locks writes for as long as an index takes: two of them, 1 s for a million users. They may be built beforehand, with `concurrently`.
-- The users of each week of registration in the order of their last activity, and of their last change: a page of a range of weeks
-- is merged from the first rows of each, wherever they stand in the order (ADR 063). So `users_before_registration` is not needed.
create index if not exists users_by_week_active on users
  ((((created_at at time zone 'UTC')::date - '1970-01-01'::date) / 7), last_active_at desc nulls last, user_id desc)
  include (created_at, status, role, is_test_user, email_verified_at, deleted_at);
create index if not exists users_by_week_updated on users
  ((((created_at at time zone 'UTC')::date - '1970-01-01'::date) / 7), updated_at, user_id)
  include (created_at, status, role, is_test_user, email_verified_at, deleted_at);
drop index users_before_registration;
