-- The number of rows in the lists of users and products for each combination of their usual filters (ADR 035). A total is the
-- sum of `n` over the rows of a list whose facets match. Writers only append, so none waits for another. Sometimes a writer
-- adds up a few hundred rows of its list, except those that another writer has locked.
create table list_counts (
  list   text not null,
  facets text[] not null,
  n      bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- The facets of a row, in the order in which the code names them.
create function user_facets(deleted_at timestamptz, status text, role text, email_verified_at timestamptz, is_test_user boolean)
returns text[] language sql immutable as $$
  select array[(deleted_at is not null)::text, status, role, (email_verified_at is not null)::text, is_test_user::text] $$;
create function product_facets(deleted_at timestamptz, status text, verification text, condition text, hidden_at timestamptz)
returns text[] language sql immutable as $$
  select array[(deleted_at is not null)::text, status, verification, condition, (hidden_at is not null)::text] $$;

create function merge_list_counts(merged text) returns void language plpgsql as $$
begin
  -- In the other isolation levels rows that others have merged since would be an error.
  if random() > 0.02 or current_setting('transaction_isolation') <> 'read committed' then return; end if;
  with taken as (
    delete from list_counts where ctid = any(array(select ctid from list_counts where list = merged limit 500 for update skip locked))
    returning facets, n)
  insert into list_counts (list, facets, n) select merged, facets, sum(n) from taken group by 2 having sum(n) <> 0;
end $$;

create function count_listed_users() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_counts (list, facets, n)
    select 'users', user_facets(deleted_at, status, role, email_verified_at, is_test_user), count(*) from added group by 2;
  elsif tg_op = 'DELETE' then
    insert into list_counts (list, facets, n)
    select 'users', user_facets(deleted_at, status, role, email_verified_at, is_test_user), -count(*) from lost group by 2;
  elsif tg_op = 'UPDATE' then
    insert into list_counts (list, facets, n)
    select 'users', facets, sum(n) from (
      select user_facets(deleted_at, status, role, email_verified_at, is_test_user) as facets, 1 as n from added
      union all select user_facets(deleted_at, status, role, email_verified_at, is_test_user), -1 from lost) moved
    group by 2 having sum(n) <> 0;
    if not found then return null; end if;
  else
    delete from list_counts where list = 'users';
  end if;
  perform merge_list_counts('users');
  return null;
end $$;

create function count_listed_products() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_counts (list, facets, n)
    select 'products', product_facets(deleted_at, status, verification, condition, hidden_at), count(*) from added group by 2;
  elsif tg_op = 'DELETE' then
    insert into list_counts (list, facets, n)
    select 'products', product_facets(deleted_at, status, verification, condition, hidden_at), -count(*) from lost group by 2;
  elsif tg_op = 'UPDATE' then
    insert into list_counts (list, facets, n)
    select 'products', facets, sum(n) from (
      select product_facets(deleted_at, status, verification, condition, hidden_at) as facets, 1 as n from added
      union all select product_facets(deleted_at, status, verification, condition, hidden_at), -1 from lost) moved
    group by 2 having sum(n) <> 0;
    if not found then return null; end if;
  else
    delete from list_counts where list = 'products';
  end if;
  perform merge_list_counts('products');
  return null;
end $$;

-- For each statement, so that a change of many rows appends a few.
create trigger users_are_listed after insert on users
  referencing new table as added for each statement execute function count_listed_users();
create trigger users_are_unlisted after delete on users
  referencing old table as lost for each statement execute function count_listed_users();
create trigger users_are_emptied after truncate on users for each statement execute function count_listed_users();
create trigger users_are_relisted after update on users
  referencing old table as lost new table as added for each statement execute function count_listed_users();

create trigger products_are_listed after insert on products
  referencing new table as added for each statement execute function count_listed_products();
create trigger products_are_unlisted after delete on products
  referencing old table as lost for each statement execute function count_listed_products();
create trigger products_are_emptied after truncate on products for each statement execute function count_listed_products();
create trigger products_are_relisted after update on products
  referencing old table as lost new table as added for each statement execute function count_listed_products();

-- The triggers hold writers back until this transaction ends.
insert into list_counts (list, facets, n)
select 'users', user_facets(deleted_at, status, role, email_verified_at, is_test_user), count(*) from users group by 2;
insert into list_counts (list, facets, n)
select 'products', product_facets(deleted_at, status, verification, condition, hidden_at), count(*) from products group by 2;

-- With the value itself in it, a far page by value is read from the index alone.
drop index products_by_value;
create index products_by_value on products (coalesce(estimated_value_cents, -1), product_id)
  include (deleted_at, estimated_value_cents);
