-- contract: locks writes for as long as an index takes: `products` is read once. It may be built beforehand, with `concurrently`.
-- Titles are sorted without regard to case, as users and campaigns are; with the title itself in it, a far page by title
-- is read from the index alone.
create index if not exists products_by_folded_title on products (lower(title), product_id) include (deleted_at, title);
drop index if exists products_by_title;

-- Of two administrators who edit a category or a plan, the second learns of the first.
alter table categories add column version integer not null default 1;
alter table plans add column version integer not null default 1;
