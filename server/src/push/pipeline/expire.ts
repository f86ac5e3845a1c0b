import type { Deps } from '../../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { must } from '../../platform/shared/must.ts'
import type { UserRange } from '../records/audience.queries.ts'
import { idsOf, lockOverdueBatches, type LockedBatch, type OverdueBatch } from '../records/batch-locks.queries.ts'
import { finishBatches } from '../records/batches.queries.ts'
import type { NewCopies } from '../records/copies.ts'
import { markBadges } from '../badges/badges.ts'
import { addCounts, type CountChange } from '../records/counts.queries.ts'
import { endUnsentOfBatches, insertCopies } from '../records/notifications.queries.ts'
import { insertSkips, type Skips } from '../records/skips.queries.ts'

const BATCHES_A_ROUND = 500

/** Also while nothing is sent: an unreachable provider costs no attempt, and only time ends that. */
export async function expireOverdue(deps: Pick<Deps, 'db' | 'clock' | 'queue'>): Promise<void> {
  const now = fromNow(deps.clock)
  const round = async () =>
    inPlannedTransaction(deps.db, 'by index', async (tx) => {
      const batches = await lockOverdueBatches(tx, BATCHES_A_ROUND, now)
      await addCounts(tx, await expireBatches(deps, tx, batches, now), batches[0]?.batch_id ?? 0)
      return batches.length
    })
  while ((await round()) === BATCHES_A_ROUND);
}

/** First copies are written too, as Expired. Gives what to count. */
export async function expireBatches(
  deps: Pick<Deps, 'queue'>,
  tx: Tx,
  batches: OverdueBatch[],
  now: Date,
): Promise<CountChange[]> {
  if (batches.length === 0) return []
  const fresh = batches.filter((batch) => batch.claim === null)
  const tried = batches.filter((batch) => batch.claim !== null)
  const written = await insertCopies(tx, idsOf(fresh), {
    users: usersOf(fresh),
    provider: undefined,
    perRequest: 100,
    expired: true,
    now,
  })
  await insertSkips(tx, skipsOf(written, fresh), now)
  await markBadges(deps, tx, notifiedUsersOf(written), { isUrgent: false })
  const counted = countWritten(written, fresh).map((change) => ({ ...change, failed: change.notifications ?? 0 }))
  const ended = await endUnsentOfBatches(tx, idsOf(tried), 'MessageExpired', now)
  await finishBatches(tx, idsOf(batches), 'done', now)
  return [...counted, ...ended]
}

export function countWritten(written: NewCopies[], batches: OverdueBatch[]): CountChange[] {
  const messageOf = new Map(batches.map((batch) => [batch.batch_id, batch.message_id]))
  // A user with several devices may have copies in several requests, and counts once.
  const notified = new Map<number, Set<number>>()
  const counted = written.flatMap(({ skip, batch_ids, user_ids }) => {
    const messageIds = batch_ids.map((batchId) => must(messageOf.get(batchId), 'message of a batch'))
    if (skip === null) {
      for (const [index, messageId] of messageIds.entries()) {
        const users = notified.get(messageId) ?? new Set()
        notified.set(messageId, users.add(must(user_ids[index], 'user of a copy')))
      }
    }
    return Array.from(
      Map.groupBy(messageIds, (messageId) => messageId),
      ([messageId, { length }]) => ({ messageId, [skip === null ? 'notifications' : `skipped_${skip}`]: length }),
    )
  })
  return [...counted, ...Array.from(notified, ([messageId, users]) => ({ messageId, notified: users.size }))]
}

/** Where a backup was restored, the push of each first copy may have been sent after the backup (ADR 050). */
export function countRestored(
  written: NewCopies[],
  batches: Pick<LockedBatch, 'batch_id' | 'message_id' | 'is_restored'>[],
): CountChange[] {
  const restored = batches.filter((batch) => batch.is_restored)
  const messageOf = new Map(restored.map((batch) => [batch.batch_id, batch.message_id]))
  return written
    .flatMap(({ submission_id, batch_ids }) => (submission_id === null ? [] : batch_ids))
    .flatMap((batchId) => messageOf.get(batchId) ?? [])
    .map((messageId) => ({ messageId, possible_duplicates: 1 }))
}

export function notifiedUsersOf(written: NewCopies[]): number[] {
  return written.flatMap((copies) => (copies.skip === null ? copies.user_ids : []))
}

export function skipsOf(written: NewCopies[], batches: OverdueBatch[]): Skips[] {
  const messageOf = new Map(batches.map((batch) => [batch.batch_id, batch.message_id]))
  return written.flatMap(({ skip, batch_ids, user_ids }) => {
    if (skip === null) return []
    const users = user_ids.map((userId, index) => ({
      userId,
      messageId: must(messageOf.get(must(batch_ids[index], 'batch of a skip')), 'message of a batch'),
    }))
    return Array.from(
      Map.groupBy(users, ({ messageId }) => messageId),
      ([messageId, ofMessage]) => ({ messageId, reason: skip, userIds: ofMessage.map(({ userId }) => userId) }),
    )
  })
}

export function usersOf(batches: OverdueBatch[]): UserRange {
  return {
    lowest: Math.min(...batches.map((batch) => batch.lowest_user)),
    highest: Math.max(...batches.map((batch) => batch.highest_user)),
    count: batches.reduce((sum, batch) => sum + batch.users, 0),
  }
}
