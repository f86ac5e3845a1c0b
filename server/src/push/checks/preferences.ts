import type { Tx } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'
import { idsOf, type LockedBatch } from '../records/batch-locks.queries.ts'
import { deferBatches, finishBatches, insertLaterParts, moveUsers, type Leaver } from '../records/batches.queries.ts'
import { putToSleep } from '../records/messages.queries.ts'
import { moveCopies } from '../records/notifications.queries.ts'
import { insertSkips } from '../records/skips.queries.ts'
import { listPreferences, type PushPreferences } from './checks.queries.ts'
import { endOfQuiet, type QuietHours } from './quiet-hours.ts'
import type { Checked } from './stale.ts'

export type Applied = Checked & { isMuted: (copy: { batch_id: number; user_id: number }) => boolean }

type Later = Leaver & { until: Date }
type Decided = { batch: LockedBatch; muted: number[]; later: Later[] }

/** Users who muted the kind are skipped as `opted_out`; quiet hours delay, except for excepted kinds and test sends. */
export async function applyPreferences(tx: Tx, batches: LockedBatch[], now: Date): Promise<Applied> {
  const preferences = batches.length === 0 ? [] : await listPreferences(tx, idsOf(batches))
  if (preferences.length === 0) return { batches, counts: [], isMuted: () => false }
  const decided = decide(batches, preferences, now)
  const tried = decided.filter(({ batch }) => batch.claim !== null)
  const fresh = decided.filter(({ batch }) => batch.claim === null)
  await holdCopies(tx, tried, now)
  const changed = await holdUsers(tx, fresh, now)
  const muted = new Set(tried.flatMap(({ batch, muted: of }) => of.map((userId) => `${batch.batch_id} ${userId}`)))
  return {
    batches: batches.flatMap((batch) => (changed.has(batch.batch_id) ? (changed.get(batch.batch_id) ?? []) : [batch])),
    counts: fresh.map(({ batch, muted: of }) => ({ messageId: batch.message_id, skipped_opted_out: of.length })),
    isMuted: ({ batch_id, user_id }) => muted.has(`${batch_id} ${user_id}`),
  }
}

function decide(batches: LockedBatch[], preferences: PushPreferences[], now: Date): Decided[] {
  const batchOf = new Map(batches.map((batch) => [batch.batch_id, batch]))
  const endOf = rememberEnds(now)
  return Array.from(
    Map.groupBy(preferences, (own) => own.batch_id),
    ([batchId, ofBatch]) => {
      const batch = must(batchOf.get(batchId), 'batch of preferences')
      const isMuted = ({ muted }: PushPreferences) => batch.event !== null && muted.includes(batch.event)
      const later = ofBatch.flatMap((own): Later[] => {
        if (isMuted(own) || own.quiet === null || batch.origin === 'test') return []
        if (batch.event !== null && own.quiet_except.includes(batch.event)) return []
        const until = endOf(own.quiet)
        return until === undefined ? [] : [{ batchId, userId: own.user_id, until }]
      })
      return { batch, muted: ofBatch.filter(isMuted).map((own) => own.user_id), later }
    },
  )
}

function rememberEnds(now: Date): (quiet: QuietHours) => Date | undefined {
  const ends = new Map<string, Date | undefined>()
  return (quiet) => {
    const key = `${quiet.start} ${quiet.end} ${quiet.zone}`
    if (!ends.has(key)) ends.set(key, endOfQuiet(quiet, now))
    return ends.get(key)
  }
}

/** Copies that were tried before wait in a separate batch and keep their attempts. */
async function holdCopies(tx: Tx, tried: Decided[], now: Date): Promise<void> {
  const parts = await insertLaterParts(
    tx,
    tried.flatMap(({ later }) => later),
    now,
  )
  const moves = parts.flatMap(({ batchId, of, userIds }) =>
    userIds.map((userId) => ({ userId, from: of, to: batchId })),
  )
  await moveCopies(tx, moves)
}

/** Returns the rest of each changed batch; none for a batch that waits as a whole or is finished. */
async function holdUsers(tx: Tx, fresh: Decided[], now: Date): Promise<Map<number, LockedBatch[]>> {
  const plans = fresh.map(planOf)
  const skips = fresh.flatMap(({ batch: { message_id: messageId }, muted }) =>
    muted.map((userId) => ({ messageId, userId, reason: 'opted_out' as const })),
  )
  await insertSkips(tx, skips, now)
  await moveUsers(
    tx,
    plans.flatMap((plan) => plan.leavers),
    now,
  )
  const deferred = plans.flatMap(({ batch, dueAt }) =>
    dueAt === undefined ? [] : [{ batchId: batch.batch_id, dueAt }],
  )
  await deferBatches(tx, deferred, now)
  const over = plans.filter((plan) => plan.isOver).map(({ batch }) => batch)
  await finishBatches(tx, idsOf(over), 'done', now)
  await putToSleep(tx, [...new Set(plans.map(({ batch }) => batch.message_id))], now)
  return new Map(plans.map(({ batch, rest }) => [batch.batch_id, rest > 0 ? [{ ...batch, users: rest }] : []]))
}

/** `rest` of its users get the push now; if 0, the batch waits until `dueAt` or is finished. */
type Plan = { batch: LockedBatch; leavers: Leaver[]; rest: number; dueAt?: Date; isOver: boolean }

function planOf({ batch, muted, later }: Decided): Plan {
  const rest = batch.users - muted.length - later.length
  const gone = muted.map((userId): Leaver => ({ batchId: batch.batch_id, userId, until: null }))
  if (rest > 0) return { batch, leavers: [...gone, ...later], rest, isOver: false }
  // A batch has at least one user: the largest group that waits keeps it.
  const groups = [...Map.groupBy(later, ({ until }) => until.getTime()).values()]
  const [largest, ...others] = groups.toSorted((a, b) => b.length - a.length)
  if (largest === undefined) return { batch, leavers: [], rest, isOver: true }
  const dueAt = must(largest[0], 'somebody who waits').until
  return { batch, leavers: [...gone, ...others.flat()], rest, dueAt, isOver: false }
}
