import type { Tx } from '../../platform/db/connect.ts'
import type { SkipReason } from '../../platform/tables/tables.ts'
import { must } from '../../platform/shared/must.ts'
import { addCounts, type CountChange } from '../records/counts.queries.ts'
import { insertSkips, type Skip } from '../records/skips.queries.ts'
import { changeOf, type Ledger } from './ledger.ts'
import { insertEntries, type NewEntry } from './entries.queries.ts'
import { lockLedgers, storeLedgers } from './ledger.queries.ts'
import { deleteWork, insertWork, type NewWork, type WorkRow } from './work.queries.ts'

/** What a transaction decides about batches that it has locked; `carryOut` writes it in a few statements. */
export type Plan = {
  now: Date
  ledger(batchId: number): Ledger
  /** Nothing waits of it any more, or what `later` says. */
  done: WorkRow[]
  later: NewWork[]
  skips: Skip[]
  entries: NewEntry[]
  counts: CountChange[]
  /** Batches whose copies changed. */
  changed: number[]
}

export async function planFor(tx: Tx, batchIds: readonly number[], now: Date): Promise<Plan> {
  const ledgers = await lockLedgers(tx, [...new Set(batchIds)])
  return {
    now,
    ledger: (batchId) => must(ledgers.get(batchId), 'batch of work'),
    done: [],
    later: [],
    skips: [],
    entries: [],
    counts: [],
    changed: [],
  }
}

export function skip(plan: Plan, { messageId, batchId }: WorkRow, owners: readonly number[], reason: SkipReason): void {
  if (owners.length === 0) return
  const { userIds } = plan.ledger(batchId)
  for (const owner of owners) plan.skips.push({ messageId, userId: must(userIds[owner], 'user of a batch'), reason })
  plan.counts.push({ messageId, [`skipped_${reason}`]: owners.length })
}

/** Gives how the counters of messages changed. */
export async function carryOut(tx: Tx, plan: Plan, seed: number): Promise<CountChange[]> {
  const ledgers = [...new Set(plan.changed)].toSorted((a, b) => a - b).map((batchId) => plan.ledger(batchId))
  const counts = [...ledgers.map(changeOf), ...plan.counts]
  await storeLedgers(tx, ledgers, plan.now)
  await deleteWork(
    tx,
    plan.done.map(({ workId }) => workId),
  )
  await insertWork(tx, plan.later)
  await insertSkips(tx, plan.skips, plan.now)
  await insertEntries(tx, plan.entries)
  // Last, so that no other worker waits long for a counter.
  await addCounts(tx, counts, seed)
  return counts
}
