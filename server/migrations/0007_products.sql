create extension if not exists pg_trgm;

-- One index for each order of the list. It contains `deleted_at`, so a page is found without reading the table.
create index products_by_id           on products (product_id) include (deleted_at);
create index products_by_title        on products (title, product_id) include (deleted_at);
create index products_by_status       on products (status, product_id) include (deleted_at);
create index products_by_verification on products (verification, product_id) include (deleted_at);
create index products_by_created      on products (created_at, product_id) include (deleted_at);
create index products_by_updated      on products (updated_at, product_id) include (deleted_at);
create index products_by_submitted    on products (submitted_at, product_id) include (deleted_at);
-- A product without an estimate is sorted below a value of 0.
create index products_by_value on products (coalesce(estimated_value_cents, -1), product_id) include (deleted_at);
create index products_category on products (category_id, product_id) include (deleted_at);
create index products_deleted  on products (product_id) where deleted_at is not null;
-- The text that the list searches, with the same expression as in the query. A space precedes each word.
create index products_text on products using gin ((' ' || title || ' ' || description) gin_trgm_ops);
-- The queue of those that wait for verification.
create index products_waiting on products (submitted_at, product_id)
  where verification = 'pending' and status in ('active', 'reserved', 'paused') and deleted_at is null and hidden_at is null;

-- The push that informed the owner, so that a purge of the owner can empty it.
alter table moderation_actions add column message_id bigint;

alter table product_reports
  add column resolution text check (resolution in ('rejected', 'removed', 'deleted', 'warned', 'other'));
create index product_reports_of_product on product_reports (product_id, report_id);
create index product_reports_created    on product_reports (created_at, product_id);
create index product_reports_reason     on product_reports (reason, created_at, product_id);
create index product_reports_assigned   on product_reports (assigned_to) where assigned_to is not null;
create index product_reports_resolved   on product_reports (resolved_by) where resolved_by is not null;

-- The sums of reports on each product, for the list that shows most open reports first (ADR 017). Only the triggers below
-- write it.
create table reported_products (
  product_id        bigint primary key references products on delete cascade,
  open_count        integer not null,
  in_review_count   integer not null,
  actioned_count    integer not null,
  dismissed_count   integer not null,
  undecided_count   integer not null generated always as (open_count + in_review_count) stored,
  total_count       integer not null
                    generated always as (open_count + in_review_count + actioned_count + dismissed_count) stored,
  status            text not null generated always as (case
                      when open_count > 0 then 'open' when in_review_count > 0 then 'in_review'
                      when actioned_count > 0 then 'actioned' else 'dismissed' end) stored,
  first_reported_at timestamptz not null,
  last_reported_at  timestamptz not null
);
create index reported_products_by_undecided on reported_products (undecided_count, last_reported_at, product_id);
create index reported_products_by_total     on reported_products (total_count, last_reported_at, product_id);
create index reported_products_by_first     on reported_products (first_reported_at, product_id);
create index reported_products_by_last      on reported_products (last_reported_at, product_id);
create index reported_products_by_status    on reported_products (status, undecided_count, last_reported_at, product_id);

insert into reported_products (product_id, open_count, in_review_count, actioned_count, dismissed_count, first_reported_at, last_reported_at)
select product_id, count(*) filter (where status = 'open'), count(*) filter (where status = 'in_review'),
  count(*) filter (where status = 'actioned'), count(*) filter (where status = 'dismissed'), min(created_at), max(created_at)
from product_reports group by product_id;

create function count_new_reports() returns trigger language plpgsql as $$
begin
  insert into reported_products as r
    (product_id, open_count, in_review_count, actioned_count, dismissed_count, first_reported_at, last_reported_at)
  select product_id, count(*) filter (where status = 'open'), count(*) filter (where status = 'in_review'),
    count(*) filter (where status = 'actioned'), count(*) filter (where status = 'dismissed'), min(created_at), max(created_at)
  from new_reports group by product_id order by product_id
  on conflict (product_id) do update set
    open_count = r.open_count + excluded.open_count,
    in_review_count = r.in_review_count + excluded.in_review_count,
    actioned_count = r.actioned_count + excluded.actioned_count,
    dismissed_count = r.dismissed_count + excluded.dismissed_count,
    first_reported_at = least(r.first_reported_at, excluded.first_reported_at),
    last_reported_at = greatest(r.last_reported_at, excluded.last_reported_at);
  return null;
end $$;

create function count_changed_reports() returns trigger language plpgsql as $$
begin
  update reported_products r set
    open_count = r.open_count + d.opened,
    in_review_count = r.in_review_count + d.in_review,
    actioned_count = r.actioned_count + d.actioned,
    dismissed_count = r.dismissed_count + d.dismissed
  from (
    select product_id, sum(n) filter (where status = 'open') as opened, sum(n) filter (where status = 'in_review') as in_review,
      sum(n) filter (where status = 'actioned') as actioned, sum(n) filter (where status = 'dismissed') as dismissed
    from (select product_id, status, 1 as n from new_reports union all select product_id, status, -1 from old_reports) moved
    group by product_id) found
  cross join lateral (select coalesce(opened, 0) as opened, coalesce(in_review, 0) as in_review,
    coalesce(actioned, 0) as actioned, coalesce(dismissed, 0) as dismissed) d
  where r.product_id = found.product_id and (d.opened, d.in_review, d.actioned, d.dismissed) <> (0, 0, 0, 0);
  return null;
end $$;

create function count_lost_reports() returns trigger language plpgsql as $$
begin
  delete from reported_products where product_id in (select product_id from old_reports);
  insert into reported_products
    (product_id, open_count, in_review_count, actioned_count, dismissed_count, first_reported_at, last_reported_at)
  select product_id, count(*) filter (where status = 'open'), count(*) filter (where status = 'in_review'),
    count(*) filter (where status = 'actioned'), count(*) filter (where status = 'dismissed'), min(created_at), max(created_at)
  from product_reports where product_id in (select product_id from old_reports)
  group by product_id;
  return null;
end $$;

create trigger product_reports_are_counted after insert on product_reports
  referencing new table as new_reports for each statement execute function count_new_reports();
create trigger product_reports_are_recounted after update on product_reports
  referencing old table as old_reports new table as new_reports for each statement execute function count_changed_reports();
create trigger product_reports_are_discounted after delete on product_reports
  referencing old table as old_reports for each statement execute function count_lost_reports();
