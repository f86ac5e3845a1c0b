import { sql } from 'kysely'
import type { Db, Tx } from '../../server/src/platform/db/connect.ts'

/** What a bulk load took away for its time, as statements that put it back. */
export type Aside = { statements: string[] }

/** Tables that a load fills. */
const FILLED = [
  'users',
  'user_settings',
  'mobile_devices',
  'user_activity_day',
  'products',
  'listings',
  'product_reports',
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
  await sql`select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true), set_config('jit', 'off', true),
    set_config('timezone', 'UTC', true), set_config('work_mem', '128MB', true), set_config('maintenance_work_mem', '512MB', true),
    set_config('random_page_cost', '1', true), set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx)
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

/**
 * Takes indexes and foreign keys off the tables that are filled: made once at the end, they cost a fraction of what
 * they cost row by row. Primary keys and unique constraints stay, but for the key of days, which nothing looks up. All
 * of it in the load's transaction, so that a load that fails leaves everything as it was.
 */
export async function dropIndexes(tx: Tx): Promise<Aside> {
  const keys = await sql<{ drop: string; create: string }>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
    from pg_constraint where conrelid = any(${FILLED}::regclass[])
      and (contype = 'f' or contype = 'p' and conrelid = 'user_activity_day'::regclass)`.execute(tx)
  const indexes = await sql<{ drop: string; create: string }>`
    select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as create
    from pg_index where indrelid = any(${FILLED}::regclass[])
      and not exists (select from pg_constraint where conindid = indexrelid)`.execute(tx)
  await runAll(
    tx,
    [...keys.rows, ...indexes.rows].map((row) => row.drop),
  )
  return { statements: [...indexes.rows, ...keys.rows].map((row) => row.create) }
}

/**
 * Puts back what was set aside; this is where each key and unique index is proven to hold. `tell` hears the share (0 to
 * 1) that is done.
 */
export async function putBack(tx: Tx, { statements }: Aside, tell: (share: number) => void): Promise<void> {
  const total = statements.reduce((sum, statement) => sum + effortOf(statement), 0)
  let done = 0
  for (const statement of statements) {
    await sql.raw(statement).execute(tx)
    done += effortOf(statement)
    tell(done / total)
  }
}

/** An index of the words of a text takes about forty times as long as any other (measured). */
function effortOf(statement: string): number {
  return statement.includes('USING gin') ? 40 : 1
}

async function runAll(tx: Tx, statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(tx)
}

/** Lets the sequences go on behind the ids that were given by hand. */
export async function advanceIds(tx: Tx): Promise<void> {
  await sql`select setval(pg_get_serial_sequence('users', 'user_id'), (select max(user_id) from users)),
    setval(pg_get_serial_sequence('products', 'product_id'), (select max(product_id) from products)),
    setval(pg_get_serial_sequence('swaps', 'swap_id'), (select max(swap_id) from swaps))`.execute(tx)
}

export async function largestIds(tx: Tx): Promise<{ users: number; products: number; swaps: number }> {
  const { rows } = await sql<{ users: number; products: number; swaps: number }>`
    select coalesce((select max(user_id) from users), 0) as users, coalesce((select max(product_id) from products), 0) as products,
      coalesce((select max(swap_id) from swaps), 0) as swaps`.execute(tx)
  return rows[0]!
}

/** Gathers statistics in the middle of a load, so that what follows is planned on what is there. */
export async function analyze(tx: Tx, table: 'users' | 'products' | 'swaps'): Promise<void> {
  await sql`analyze ${sql.ref(table)}`.execute(tx)
}

/** Leaves the tables as a running service has them: visibility map, statistics. */
export async function vacuumFilled(db: Db): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`vacuum (analyze) ${sql.join([...FILLED, 'activity_gap_day', 'categories'].map((table) => sql.ref(table)))}`.execute(
      connection,
    )
    await sql`reset statement_timeout`.execute(connection)
  })
}

export async function countRows(db: Db | Tx): Promise<Record<string, number>> {
  const tables = FILLED.map((table) => sql`select ${table}::text as name, count(*) as n from ${sql.ref(table)}`)
  const { rows } = await sql<{ name: string; n: number }>`${sql.join(tables, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]))
}
