import { sql } from 'kysely'
import type { Db, Runner, Tx } from './connect.ts'
import { inTransaction, isPipelined } from './transaction.ts'

type Switches = Record<string, string>

export const PLANS = {
  // The planner would read all of a table that has grown since its last ANALYZE (41, not 8 ms, for 800 tickets).
  'by index': {
    enable_seqscan: 'off',
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
    enable_nestloop: 'on',
    enable_memoize: 'off',
  },
  // This reads a page of one index in its order: before the first ANALYZE all rows would be sorted.
  'in order': {
    enable_seqscan: 'off',
    enable_bitmapscan: 'off',
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
    enable_nestloop: 'on',
    enable_sort: 'off',
  },
  // Reading rows that are neighbours costs a third.
  'by range': { enable_seqscan: 'off', enable_hashjoin: 'on', enable_nestloop: 'off' },
  'by matches': {
    enable_seqscan: 'off',
    enable_bitmapscan: 'on',
    enable_indexscan: 'off',
    enable_indexonlyscan: 'off',
  },
  'by any index': {
    enable_seqscan: 'off',
    enable_bitmapscan: 'on',
    enable_indexscan: 'on',
    enable_indexonlyscan: 'on',
  },
} as const satisfies Record<string, Switches>

export type PlanKind = keyof typeof PLANS

/**
 * Forces a kind of plan for the statements of `work`, then restores the switches. May be nested. Others run the same
 * texts without switches, so what is prepared is planned anew (not for lanes, whose statements always have them).
 */
export async function withPlans<T>(tx: Tx, kind: PlanKind, work: () => Promise<T>): Promise<T> {
  const before = await setSwitches(tx, switchesFor(tx, kind))
  const result = await work()
  await setSwitches(tx, before)
  return result
}

/** The plans stay until the end of the transaction, or until others are set. */
export async function setPlans(tx: Runner, kind: PlanKind): Promise<void> {
  await setSwitches(tx, switchesFor(tx, kind))
}

/** The switches end with the transaction. */
export function inPlannedTransaction<T>(db: Db, kind: PlanKind, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await setPlans(tx, kind)
    return work(tx)
  })
}

function switchesFor(tx: Runner, kind: PlanKind): Switches {
  return isPipelined(tx) ? PLANS[kind] : { ...PLANS[kind], plan_cache_mode: 'force_custom_plan' }
}

async function setSwitches(tx: Runner, switches: Switches): Promise<Switches> {
  // They are read first and set then: within one list of columns their order is not promised.
  const { rows } = await sql<{ name: string; was: string }>`
    with switches as materialized (
      select name, value, current_setting(name) as was
      from unnest(${Object.keys(switches)}::text[], ${Object.values(switches)}::text[]) as given(name, value))
    select name, was, set_config(name, value, true) from switches`.execute(tx)
  return Object.fromEntries(rows.map(({ name, was }) => [name, was]))
}
