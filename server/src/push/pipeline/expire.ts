import type { Deps } from '../../deps.ts'
import { announceAfter } from '../../platform/jobs/queue.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { must } from '../../platform/shared/must.ts'
import type { UserRange } from '../records/audience.queries.ts'
import {
  byFreshness,
  idsOf,
  lockOverdueBatches,
  type LockedBatch,
  type OverdueBatch,
} from '../records/batch-locks.queries.ts'
import { finishBatches } from '../records/batches.queries.ts'
import type { SkipReason } from '../../platform/tables/tables.ts'
import type { NewCopies } from '../records/copies.ts'
import { markBadges } from '../badges/badges.ts'
import { addCounts, type CountChange } from '../records/counts.queries.ts'
import { endUnsentOfBatches, insertCopies } from '../records/notifications.queries.ts'
import { insertSkips, type Skip } from '../records/skips.queries.ts'

const BATCHES_A_ROUND = 500

/** Runs also while nothing is sent: an unreachable provider uses no attempt, so only the time limit ends a message. */
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

/** First copies are written too, as Expired. Returns the counts. */
export async function expireBatches(
  deps: Pick<Deps, 'queue'>,
  tx: Tx,
  batches: OverdueBatch[],
  now: Date,
): Promise<CountChange[]> {
  if (batches.length === 0) return []
  const { fresh, tried } = byFreshness(batches)
  const written = await insertCopies(tx, idsOf(fresh), {
    users: usersOf(fresh),
    provider: undefined,
    perRequest: 100,
    expired: true,
    now,
  })
  const decided = decidedOf(written, fresh)
  await insertSkips(tx, skipsOf(decided), now)
  await markBadges({ tx, announce: () => announceAfter(deps.queue, tx) }, notifiedUsersOf(decided), { isUrgent: false })
  const counted = countDecided(decided).map((change) => ({ ...change, failed: change.notifications ?? 0 }))
  const ended = await endUnsentOfBatches(tx, idsOf(tried), 'MessageExpired', now)
  await finishBatches(tx, idsOf(batches), 'done', now)
  return [...counted, ...ended]
}

/** What was decided about a user: a copy for each device, or a skip. `hasRequest`: the push is about to be sent. */
type Decided = { batchId: number; messageId: number; userId: number; skip: SkipReason | null; hasRequest: boolean }

export function decidedOf(written: NewCopies[], batches: OverdueBatch[]): Decided[] {
  const messageOf = new Map(batches.map((batch) => [batch.batch_id, batch.message_id]))
  return written.flatMap(({ submission_id, skip, batch_ids, user_ids }) =>
    user_ids.map((userId, index) => {
      const batchId = must(batch_ids[index], 'batch of a user')
      const messageId = must(messageOf.get(batchId), 'message of a batch')
      return { batchId, messageId, userId, skip, hasRequest: submission_id !== null }
    }),
  )
}

export function countDecided(decided: Decided[]): CountChange[] {
  const counted = decided.map(({ messageId, skip }) => ({
    messageId,
    [skip === null ? 'notifications' : `skipped_${skip}`]: 1,
  }))
  const copies = decided.filter(({ skip }) => skip === null)
  const notified = Array.from(
    Map.groupBy(copies, ({ messageId }) => messageId),
    // A user with several devices has several copies, and counts once.
    ([messageId, own]) => ({ messageId, notified: new Set(own.map(({ userId }) => userId)).size }),
  )
  return [...counted, ...notified]
}

/** Where a backup was restored, the push of each first copy may have been sent after the backup (ADR 050). */
export function countRestored(
  decided: Decided[],
  batches: Pick<LockedBatch, 'batch_id' | 'is_restored'>[],
): CountChange[] {
  const restored = new Set(batches.filter((batch) => batch.is_restored).map((batch) => batch.batch_id))
  return decided
    .filter(({ batchId, hasRequest }) => hasRequest && restored.has(batchId))
    .map(({ messageId }) => ({ messageId, possible_duplicates: 1 }))
}

export function notifiedUsersOf(decided: Decided[]): number[] {
  return decided.flatMap(({ userId, skip }) => (skip === null ? [userId] : []))
}

export function skipsOf(decided: Decided[]): Skip[] {
  return decided.flatMap(({ messageId, userId, skip }) => (skip === null ? [] : [{ messageId, userId, reason: skip }]))
}

export function usersOf(batches: OverdueBatch[]): UserRange {
  return {
    lowest: Math.min(...batches.map((batch) => batch.lowest_user)),
    highest: Math.max(...batches.map((batch) => batch.highest_user)),
    count: batches.reduce((sum, batch) => sum + batch.users, 0),
  }
}
