-- The list of users (decision C4): one index for each order, with the columns that it is filtered by, so that a far page and a
-- count are read from the index alone (ADR 016).
create extension if not exists pg_trgm;

create index users_by_id on users (user_id) include (status, role, is_test_user, email_verified_at)
  where deleted_at is null;
create index users_by_name on users (lower(name), user_id)
  include (name, status, role, is_test_user, email_verified_at, deleted_at);
create index users_by_role on users (role, user_id) include (status, is_test_user, email_verified_at, deleted_at);
create index users_by_status on users (status, user_id) include (role, is_test_user, email_verified_at, deleted_at);
create index users_by_last_active on users (last_active_at desc nulls last, user_id desc)
  include (status, role, is_test_user, email_verified_at, deleted_at);
create index users_by_created on users (created_at, user_id)
  include (last_active_at, status, role, is_test_user, email_verified_at, deleted_at);
create index users_by_updated on users (updated_at, user_id)
  include (status, role, is_test_user, email_verified_at, deleted_at);
create index users_by_deleted on users (deleted_at desc nulls last, user_id desc)
  include (status, role, is_test_user, email_verified_at);
create unique index users_email_and_more on users (lower(email))
  include (email, user_id, status, role, is_test_user, email_verified_at, deleted_at);
create unique index users_username_and_more on users (lower(username))
  include (username, user_id, status, role, is_test_user, email_verified_at, deleted_at);
drop index users_email, users_username;
alter index users_email_and_more rename to users_email;
alter index users_username_and_more rename to users_username;

-- Substrings of names and addresses. Queries must use the same expression.
create index users_search on users using gin ((' ' || username || ' ' || email || ' ' || name) gin_trgm_ops);
alter index users_search alter column 1 set statistics 1000;

-- Pages from the index alone need a fresh visibility map.
alter table users set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02);

-- Empties what people wrote in records that others keep (decision C7), in the transaction that deletes the people. Foreign
-- keys delete the rows of one person alone. Swaps and the audit log have functions of their own for this.
create function forget_words_of(people bigint[]) returns void language sql as $$
  update product_reports set details = null where reporter_id = any(people) and details is not null;
  update product_reports set resolution_note = null where resolved_by = any(people) and resolution_note is not null;
  update moderation_actions set user_message = null, internal_note = null where actor_id = any(people);
  update messages set title = 'Deleted', body = 'This message was deleted with its sender.', data = null
    where sender_id = any(people) and type = 'non_promotional';
  update subscriptions set external_id = 'forgotten-' || subscription_id where user_id = any(people);
  update state_changes set note = null where actor_id = any(people) and note is not null;
  delete from groups g where owner_id = any(people) and not exists (
    select 1 from group_members m where m.group_id = g.group_id and m.status = 'approved' and m.user_id <> all(people));
$$;
