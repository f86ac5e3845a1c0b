import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'

export const MEASURES = ['swaps_requested', 'swaps_completed', 'products_listed', 'accounts_created'] as const
export type MeasureName = (typeof MEASURES)[number]
export type Dimension = 'city' | 'category'

type Times = { from: Date; to: Date }

/** `place` null: all places beyond the shown ones together. `name` null: those without one. */
export type Share = { place: number | null; name: string | null; names: number; value: number; previous: number }

/** The `shown` largest of a range, beside the range before, and the rest as one row. */
export async function findShares(
  db: Db,
  { measure, by }: { measure: MeasureName; by: Dimension },
  { now, before, limit }: { now: Times; before: Times; limit: number },
): Promise<Share[]> {
  const isIn = ({ from, to }: Times) => sql`at >= ${from} and at < ${to}`
  const { rows } = await sql<Share>`
    with named as materialized (${namedRows(measure, by, { from: before.from, to: now.to })}),
    counted as (
      select min(name) as name, count(*) filter (where ${isIn(now)}) as value,
        count(*) filter (where ${isIn(before)}) as previous
      from named group by lower(name)),
    ranked as (
      select name, value, previous, row_number() over (order by value desc, previous desc, lower(name)) as place
      from counted where value > 0 or previous > 0),
    placed as (select case when place <= ${limit} then place end as place, name, value, previous from ranked)
    select place, case when place is not null then max(name) end as name,
      count(*) as names, sum(value)::bigint as value, sum(previous)::bigint as previous
    from placed group by place order by place nulls last`.execute(db)
  return rows
}

const CITY = sql`nullif(btrim(city), '')`

/** The time and the name of each: a swap counts for the first of the products that are asked for. By joins, which can
 * be hashed: a subquery for each swap would run as often as there are swaps. */
function namedRows(measure: MeasureName, by: Dimension, { from, to }: Times): RawBuilder<unknown> {
  if (measure === 'accounts_created')
    return sql`select created_at as at, ${CITY} as name from users where created_at >= ${from} and created_at < ${to}`
  const named = (events: RawBuilder<unknown>) =>
    by === 'city'
      ? sql`select e.at, ${CITY} as name from (${events}) e left join products p using (product_id)`
      : sql`select e.at, c.name from (${events}) e left join products p using (product_id)
        left join categories c using (category_id)`
  if (measure === 'products_listed')
    return named(
      sql`select created_at as at, product_id from products where created_at >= ${from} and created_at < ${to}`,
    )
  const at = measure === 'swaps_requested' ? sql`s.created_at` : sql`coalesce(s.completed_at, '-infinity'::timestamptz)`
  return named(sql`
    select ${at} as at, min(i.product_id) as product_id
    from swaps s left join swap_items i on i.swap_id = s.swap_id and i.side = 'requested'
    where ${at} >= ${from} and ${at} < ${to} group by s.swap_id`)
}
