import { sql } from 'kysely'
import type { Tx } from '../../server/src/platform/db/connect.ts'
import type { Dataset, Range } from './dataset.ts'

/** Counts the likes of each product, in a table that `dropScratch` takes away. */
export async function countLikes(tx: Tx): Promise<void> {
  await sql`create table like_counts as
    select product_id, count(*)::integer as n from likes group by product_id order by product_id`.execute(tx)
  await sql`alter table like_counts add primary key (product_id)`.execute(tx)
  await sql`analyze like_counts`.execute(tx)
}

/** What the triggers of products and likes would have written: a listing for each product of a range. */
export async function insertListings(tx: Tx, { after }: Dataset, { first, last }: Range): Promise<void> {
  // A reserved product was listed before its swap.
  const wasListed = sql`p.status in ('active', 'reserved', 'swapped') and p.deleted_at is null and p.hidden_at is null
    and p.verification <> 'rejected' and p.rejected_at is null`
  await sql`
    insert into listings (product_id, listing_id, user_id, category_id, city, condition, is_listed, like_count, words)
    select product_id, case when was_listed then ${after.listings}::bigint + product_id - ${after.products}::bigint end,
      user_id, category_id, lower(btrim(city)), condition,
      is_listed, coalesce(n, 0), listing_words(title, description)
    from (
      select p.*, is_on_market(p) as is_listed, ${wasListed} as was_listed, l.n
      from products p left join like_counts l using (product_id)
      where product_id between ${after.products}::bigint + ${first}::bigint
        and ${after.products}::bigint + ${last}::bigint
      order by product_id) p`.execute(tx)
}

/** What the trigger of users would have counted of those who were deleted. */
export async function countExits(tx: Tx, { after }: Dataset): Promise<void> {
  await sql`
    insert into activity_exit_day as e (day, last_active_day, n)
    select (deleted_at at time zone 'UTC')::date, last_active_day, count(*) from users
    where user_id > ${after.users}::bigint and deleted_at is not null and last_active_day is not null group by 1, 2
    on conflict (day, last_active_day) do update set n = e.n + excluded.n`.execute(tx)
}
