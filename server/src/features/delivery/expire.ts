import type { Deps } from '../../deps.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { fromNow } from '../../shared/clock.ts'
import { finishBatches, lockOverdueBatches, type OverdueBatch } from './batches.queries.ts'
import type { NewCopy } from './copies.ts'
import { addCounts, type CountChange } from './counts.queries.ts'
import { endUnsentOfBatches, insertCopies } from './notifications.queries.ts'

const BATCHES_A_ROUND = 500

/**
 * Ends the waiting batches of running messages that are past their time limit, also while nothing is sent: a provider
 * that is away costs no attempt, and only time ends that.
 */
export async function expireOverdue(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = fromNow(deps.clock)
  const round = async () =>
    inTransaction(deps.db, async (tx) => {
      const batches = await lockOverdueBatches(tx, BATCHES_A_ROUND, now)
      await expireBatches(tx, batches, now)
      return batches.length
    })
  while ((await round()) === BATCHES_A_ROUND);
}

/** Ends locked batches whose message is past its time limit: their copies exist, and are Expired. */
export async function expireBatches(tx: Tx, batches: OverdueBatch[], now: Date): Promise<void> {
  if (batches.length === 0) return
  const fresh = batches.filter((batch) => batch.claim === null)
  const tried = batches.filter((batch) => batch.claim !== null)
  const written = await insertCopies(tx, idsOf(fresh), { perRequest: 1, expired: true, now })
  const counted = countWritten(written, fresh).map((change) => ({ ...change, failed: change.notifications ?? 0 }))
  const ended = await endUnsentOfBatches(tx, idsOf(tried), 'MessageExpired', now)
  await addCounts(tx, [...counted, ...ended], batches[0]?.batch_id ?? 0)
  await finishBatches(tx, idsOf(batches), 'done', now)
}

/** What first copies, and users who get none, add to the counters of their messages. */
export function countWritten(written: NewCopy[], batches: OverdueBatch[]): CountChange[] {
  const messageOf = new Map(batches.map((batch) => [batch.batch_id, batch.message_id]))
  return written.map((copy) => {
    const messageId = messageOf.get(copy.batch_id) ?? 0
    return copy.skip === null ? { messageId, notifications: 1 } : { messageId, [`skipped_${copy.skip}`]: 1 }
  })
}

function idsOf(batches: OverdueBatch[]): number[] {
  return batches.map((batch) => batch.batch_id)
}
