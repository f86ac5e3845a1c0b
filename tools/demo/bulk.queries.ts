import { sql } from 'kysely'
import type { Db, Tx } from '../../server/src/platform/db/connect.ts'
import type { Dataset } from './dataset.ts'

/** Tables that a load fills. */
export const FILLED = [
  'users',
  'user_settings',
  'mobile_devices',
  'user_activity_day',
  'products',
  'listings',
  'product_reports',
  'reported_products',
  'swaps',
  'swap_items',
  'swap_rounds',
  'swap_disputes',
  'swap_messages',
  'chat_sides',
  'likes',
  'matches',
  'subscriptions',
  'state_changes',
]

/**
 * The limits of requests do not hold here, and days are those of UTC. Nested loops: each range touches little of a
 * table.
 */
export async function prepareSession(tx: Tx): Promise<void> {
  await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true),
    set_config('jit', 'off', true),
    set_config('timezone', 'UTC', true), set_config('work_mem', '128MB', true),
      set_config('maintenance_work_mem', '512MB', true),
    set_config('random_page_cost', '1', true), set_config('idle_in_transaction_session_timeout', '0', true),
    set_config('max_parallel_maintenance_workers', '0', true)`.execute(tx)
}

/**
 * Runs `work` with every join looking rows up by index. The planner expects a thousand rows of each `generate_series`
 * whose length it does not know, and would read a whole table for each range.
 */
export async function byLookup(tx: Tx, work: () => Promise<void>): Promise<void> {
  await sql`set local enable_hashjoin = off`.execute(tx)
  await sql`set local enable_mergejoin = off`.execute(tx)
  await work()
  await sql`set local enable_hashjoin = on`.execute(tx)
  await sql`set local enable_mergejoin = on`.execute(tx)
}

/** Moves the sequences past the ids that were given by hand. */
export async function advanceIds(tx: Tx): Promise<void> {
  await sql`select setval(pg_get_serial_sequence('users', 'user_id'), (select max(user_id) from users)),
    setval(pg_get_serial_sequence('products', 'product_id'), (select max(product_id) from products)),
    setval(pg_get_serial_sequence('swaps', 'swap_id'), (select max(swap_id) from swaps)),
    setval('listing_ids', (select max(listing_id) from listings))`.execute(tx)
}

/** The largest ids in use. */
export async function largestIds(tx: Tx): Promise<Dataset['after']> {
  const { rows } = await sql<Dataset['after']>`
    select coalesce((select max(user_id) from users), 0) as users,
      coalesce((select max(product_id) from products), 0) as products,
      coalesce((select max(swap_id) from swaps), 0) as swaps,
      coalesce((select max(listing_id) from listings), 0) as listings`.execute(tx)
  return rows[0]!
}

/**
 * Gathers statistics in the middle of a load, so that later statements have good plans. Where columns are named,
 * PostgreSQL leaves out the expressions of indexes.
 */
export async function analyze(tx: Tx, table: string, columns: string[]): Promise<void> {
  await sql`analyze ${sql.ref(table)} (${sql.join(columns.map((column) => sql.ref(column)))})`.execute(tx)
}

export async function countRows(db: Db | Tx): Promise<Record<string, number>> {
  const tables = FILLED.map((table) => sql`select ${table}::text as name, count(*) as n from ${sql.ref(table)}`)
  const { rows } = await sql<{ name: string; n: number }>`${sql.join(tables, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]))
}
