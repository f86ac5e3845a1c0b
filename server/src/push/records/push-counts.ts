import type { PushDeps } from '../deps.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { findLastDeletion, foldSlots, replacePushCounts } from './push-counts.queries.ts'

// The time of an event is taken before its transaction commits, at most this long before.
const LATE_MS = 600_000
const QUARTER_MS = 900_000

export async function foldPushCounts({ db }: Pick<PushDeps, 'db'>, until: Date): Promise<void> {
  await inTransaction(db, (tx) => foldSlots(tx, until))
}

/** It leaves out the last ten minutes, to which others may add, and what is from before the last deletion (ADR 17). */
export async function recountPushes(
  { db, clock }: Pick<PushDeps, 'db' | 'clock'>,
  { from, to }: { from: Date; to: Date },
): Promise<void> {
  const closed = quarterBefore(clock.now() - LATE_MS)
  const until = to < closed ? quarterBefore(to.getTime()) : closed
  await inTransaction(db, async (tx) => {
    const deletedAt = await findLastDeletion(tx)
    const earliest = deletedAt === undefined ? from : quarterBefore(deletedAt.getTime() + QUARTER_MS)
    const first = earliest > from ? earliest : from
    if (first < until) await replacePushCounts(tx, { from: first, to: until })
  })
}

function quarterBefore(ms: number): Date {
  return new Date(Math.floor(ms / QUARTER_MS) * QUARTER_MS)
}
