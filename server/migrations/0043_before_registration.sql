-- contract: locks writes for as long as an index takes: it reads the table once, 1 s for a million users. It may be built beforehand, with `concurrently`.
-- Nobody should be changed or active long before they registered. So a range of registrations in the order of either begins where the
-- range does, and those for whom this is not true are found here (ADR 063).
create index if not exists users_before_registration on users (created_at)
  where last_active_at is null or created_at - least(updated_at, last_active_at) > interval '1 hour';
