-- Since when a rejection stands: until the product is verified, also while its owner has submitted it again. Until then
-- others do not see it.
alter table products add column rejected_at timestamptz;
update products set rejected_at = updated_at where verification = 'rejected';

-- What a product said when it was verified, while its owner's later revision waits: others see this one (ADR 040).
create table kept_revisions (
  product_id  bigint primary key references products on delete cascade,
  revision    integer not null,
  category_id bigint not null references categories,
  title       text not null,
  description text not null,
  images      jsonb not null
);
create index kept_revisions_category on kept_revisions (category_id);

insert into kept_revisions (product_id, revision, category_id, title, description, images)
select p.product_id, m.revision, (m.snapshot ->> 'category_id')::bigint, m.snapshot ->> 'title', m.snapshot ->> 'description',
  m.snapshot -> 'images'
from products p
cross join lateral (
  select action, revision, snapshot from moderation_actions
  where product_id = p.product_id and action in ('verify', 'reject') order by action_id desc limit 1) m
where p.verification in ('pending', 'changes_requested') and m.action = 'verify' and p.revision > m.revision
  and m.snapshot ?& array['category_id', 'title', 'description', 'images'];

-- A product as lists of the app find it: what it is filtered and ordered by, of the revision that others see. Every
-- product has one; `is_listed` says whether lists hold it. `listing_id` counts products in the order in which they were
-- listed first. Kept by the triggers below, and written by nothing else.
create sequence listing_ids;
create table listings (
  product_id  bigint primary key references products on delete cascade,
  listing_id  bigint,
  user_id     bigint not null,
  category_id bigint not null,
  city        text,
  condition   text not null,
  is_listed   boolean not null,
  like_count  integer not null default 0,
  words       tsvector not null,
  check (listing_id is not null or not is_listed)
) with (autovacuum_vacuum_scale_factor = 0.05);
alter sequence listing_ids owned by listings.listing_id;

create function is_on_market(product products) returns boolean language sql immutable parallel safe
  return (product).status = 'active' and (product).deleted_at is null and (product).hidden_at is null
    and (product).verification <> 'rejected' and (product).rejected_at is null;

-- Words of any language, as they are written: each in lower case.
create function listing_words(title text, description text) returns tsvector language sql immutable parallel safe
  return to_tsvector('simple', title || ' ' || description);
-- What a search asks for: each of its words; one of three letters or more also as the beginning of a longer word.
create function listing_query(search text) returns tsquery language sql immutable parallel safe
  return (select string_agg(quote_literal(lexeme) || case when length(lexeme) > 2 then ':*' else '' end, ' & ')::tsquery
    from unnest(to_tsvector('simple', search)));

-- By id alone: the number of rows of a statement differs, and the plan that the first one gets is kept.
create function list_products() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if tg_op = 'INSERT' then
    insert into listings (product_id, listing_id, user_id, category_id, city, condition, is_listed, words)
    select product_id, case when is_listed then nextval('listing_ids') end, user_id, category_id, lower(btrim(city)), condition,
      is_listed, listing_words(title, description)
    from (select a.*, is_on_market(a) as is_listed from added a order by product_id) p;
    return null;
  end if;
  update listings l set user_id = p.user_id, category_id = p.category_id, city = p.city, condition = p.condition,
    is_listed = p.is_listed, words = coalesce(p.words, l.words),
    listing_id = case when l.listing_id is null and p.is_listed then nextval('listing_ids') else l.listing_id end
  from (
    select a.product_id, a.user_id, coalesce(k.category_id, a.category_id) as category_id, lower(btrim(a.city)) as city,
      a.condition, is_on_market(a) as is_listed,
      -- A verdict may change which revision others see.
      case when (a.title, a.description, a.verification) is distinct from (b.title, b.description, b.verification)
        then listing_words(coalesce(k.title, a.title), coalesce(k.description, a.description)) end as words
    from added a join lost b using (product_id) left join kept_revisions k using (product_id)) p
  where l.product_id = p.product_id and (l.user_id, l.category_id, l.city, l.condition, l.is_listed, l.words)
    is distinct from (p.user_id, p.category_id, p.city, p.condition, p.is_listed, coalesce(p.words, l.words));
  return null;
end $$;
create trigger products_get_listings after insert on products
  referencing new table as added for each statement execute function list_products();
create trigger products_move_listings after update on products
  referencing old table as lost new table as added for each statement execute function list_products();

-- Rows are locked in the order of their ids, so that two statements about many products do not wait in a circle.
create function count_likes() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if tg_op = 'INSERT' then
    perform from listings where product_id in (select product_id from changed) order by product_id for no key update;
    update listings l set like_count = like_count + c.n
    from (select product_id, count(*) as n from changed group by 1) c where l.product_id = c.product_id;
  elsif tg_op = 'DELETE' then
    perform from listings where product_id in (select product_id from changed) order by product_id for no key update;
    update listings l set like_count = like_count - c.n
    from (select product_id, count(*) as n from changed group by 1) c where l.product_id = c.product_id;
  else
    update listings set like_count = 0 where like_count <> 0;
  end if;
  return null;
end $$;
create trigger likes_are_counted after insert on likes
  referencing new table as changed for each statement execute function count_likes();
create trigger likes_are_discounted after delete on likes
  referencing old table as changed for each statement execute function count_likes();
create trigger likes_are_emptied after truncate on likes for each statement execute function count_likes();

-- The triggers hold writers back until this transaction ends.
insert into listings (product_id, listing_id, user_id, category_id, city, condition, is_listed, like_count, words)
select p.product_id, case when is_listed then nextval('listing_ids') end, p.user_id, coalesce(k.category_id, p.category_id),
  lower(btrim(p.city)), p.condition, is_listed, coalesce(l.n, 0),
  listing_words(coalesce(k.title, p.title), coalesce(k.description, p.description))
from (select p.*, is_on_market(p) as is_listed from products p order by product_id) p
left join kept_revisions k using (product_id)
left join (select product_id, count(*)::integer as n from likes group by 1) l using (product_id)
order by p.product_id;

-- One index for each way to narrow a list and each of its two orders: a page is read from where its cursor says.
create unique index listings_newest         on listings (listing_id) where is_listed;
create index listings_liked                 on listings (like_count, listing_id) where is_listed;
create index listings_category              on listings (category_id, listing_id) where is_listed;
create index listings_category_liked        on listings (category_id, like_count, listing_id) where is_listed;
create index listings_city                  on listings (city, listing_id) where is_listed;
create index listings_city_liked            on listings (city, like_count, listing_id) where is_listed;
create index listings_city_category         on listings (city, category_id, listing_id) where is_listed;
create index listings_city_category_liked   on listings (city, category_id, like_count, listing_id) where is_listed;
create index listings_owner                 on listings (user_id, listing_id) where is_listed;
-- Without a list of what is to be entered later: searches would read it, and one like in many would wait for its end.
create index listings_words on listings using gin (words) with (fastupdate = off) where is_listed;

-- How many products each category lists (ADR 035). Facets: listed, category.
create function listing_facets(is_listed boolean, category_id bigint) returns text[] language sql immutable as $$
  select array[is_listed::text, category_id::text] $$;
create function count_listings() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_counts (list, facets, n)
    select 'listings', listing_facets(is_listed, category_id), count(*) from added group by 2;
  elsif tg_op = 'DELETE' then
    insert into list_counts (list, facets, n)
    select 'listings', listing_facets(is_listed, category_id), -count(*) from lost group by 2;
  elsif tg_op = 'UPDATE' then
    insert into list_counts (list, facets, n)
    select 'listings', facets, sum(n) from (
      select listing_facets(is_listed, category_id) as facets, 1 as n from added
      union all select listing_facets(is_listed, category_id), -1 from lost) moved
    group by 2 having sum(n) <> 0;
    if not found then return null; end if;
  else
    delete from list_counts where list = 'listings';
  end if;
  perform merge_list_counts('listings');
  return null;
end $$;
create trigger listings_are_counted after insert on listings
  referencing new table as added for each statement execute function count_listings();
create trigger listings_are_discounted after delete on listings
  referencing old table as lost for each statement execute function count_listings();
create trigger listings_are_emptied after truncate on listings for each statement execute function count_listings();
create trigger listings_are_recounted after update on listings
  referencing old table as lost new table as added for each statement execute function count_listings();
insert into list_counts (list, facets, n)
select 'listings', listing_facets(is_listed, category_id), count(*) from listings group by 2;

-- The lists of one person: what they like, and whom they match, newest first.
create index likes_of_user on likes (user_id, created_at, product_id);
create index matches_of_first on matches (first_user_id, created_at, second_user_id);
create index matches_of_second on matches (second_user_id, created_at, first_user_id);
drop index matches_second;
