-- contract: locks writes for as long as an index takes: 3 s for a million users. It may be built beforehand, with `concurrently`.
-- The users of each week of registration in the order of their ids: a page of a range of weeks is merged from the first rows of each,
-- wherever the range lies in the order of the ids (ADR 016). Weeks are counted from 1970-01-01, in UTC.
create index if not exists users_by_week on users ((((created_at at time zone 'UTC')::date - '1970-01-01'::date) / 7), user_id)
  include (created_at, status, role, is_test_user, email_verified_at, deleted_at, last_active_at);
