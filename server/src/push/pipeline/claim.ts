import type { Deps } from '../../deps.ts'
import { announceAfter } from '../../platform/jobs/queue.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { inPlannedTransaction, withPlans } from '../../platform/db/planner.ts'
import type { Push, PushContent } from '../provider/provider.ts'
import type { ProviderInUse } from '../provider/registry.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { must } from '../../platform/shared/must.ts'
import { listUnsent, type Unsent } from '../records/audience.queries.ts'
import {
  byFreshness,
  idsOf,
  lockDueBatches,
  type BatchChoice,
  type LockedBatch,
} from '../records/batch-locks.queries.ts'
import { finishBatches, openAttempt } from '../records/batches.queries.ts'
import { toPushContent } from '../messages/content.ts'
import { earliestOf, type NewCopies } from '../records/copies.ts'
import { markBadges, totalsOf } from '../badges/badges.ts'
import { addCounts, type CountChange } from '../records/counts.queries.ts'
import { endStale } from '../checks/stale.ts'
import { applyPreferences, type Applied } from '../checks/preferences.ts'
import { divideBatches } from './divide.ts'
import { countDecided, countRestored, decidedOf, expireBatches, notifiedUsersOf, skipsOf, usersOf } from './expire.ts'
import { endUnsent, insertCopies, resubmitNotifications } from '../records/notifications.queries.ts'
import { insertSkips } from '../records/skips.queries.ts'
import { insertSubmissions, nextSubmissionIds } from '../records/submissions.queries.ts'

export type ClaimedPush = { push: Push; userId: number; deviceId: number; batchId: number; submissionId: number }

export type Claim = {
  /** Fences the answers; null when nothing was claimed. */
  number: number | null
  startedAt: Date
  /** No request may begin after this, because another attempt may hold its copies by then. */
  leaseUntil: Date
  batches: LockedBatch[]
  requests: ClaimedPush[][]
  /** Copies that are sent again after a request with an unknown outcome. */
  possibleDuplicates: number
  /** Of all batches that were due. */
  messageIds: number[]
}

type Said = { content: PushContent; expiresAt: Date }
type Copy = {
  notification_id: number
  submission_id: number
  batch_id: number
  user_id: number
  device_id: number
  token: string
  platform: Push['platform']
}

// Up to this many ids for each user, reading their range is faster than reading them one by one.
const DENSE = 4

type ClaimDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'queue' | 'isStale'> & Pick<ProviderInUse, 'provider'>

/** Transaction 1 of batches (ADR 001): holds no connection afterwards. `onLocked` gets them before a step can fail. */
export async function claimBatches(
  deps: ClaimDeps,
  choice: BatchChoice,
  onLocked?: (batchIds: number[]) => void,
): Promise<Claim> {
  const { name: provider } = deps.provider
  const now = fromNow(deps.clock)
  const leaseUntil = fromNow(deps.clock, deps.config.PUSH_LEASE_SECONDS * 1_000)
  return inPlannedTransaction(deps.db, 'by index', async (tx) => {
    const runnable = await lockDueBatches(tx, provider, choice, now)
    onLocked?.(idsOf(runnable))
    const [expired, due] = partition(runnable, (batch) => batch.expires_at <= now)
    const overdue = await expireBatches(deps, tx, expired, now)
    const current = await endStale(deps, tx, due, now)
    const { batches: ready, ...applied } = await applyPreferences(tx, current.batches, now)
    const { fresh, tried } = byFreshness(ready)
    const first = await writeCopies(deps, tx, fresh, now)
    const again = await reopenCopies(deps, tx, { batches: tried, ...applied }, now)
    const copies = [...first.copies, ...again.copies]
    const sending = new Set(copies.map((copy) => copy.batch_id))
    const [batches, idle] = partition(ready, (batch) => sending.has(batch.batch_id))
    await finishBatches(tx, idsOf(idle), 'done', now)
    const requests = toRequests(copies, batches, await totalsOf(tx, badgedUsersOf(copies)))
    await insertSubmissions(tx, provider, requests.map(toSubmission), { now, leaseUntil })
    const claim = copies[0]?.submission_id ?? null
    if (claim !== null) await openAttempt(tx, idsOf(batches), { provider, claim, leaseUntil, now })
    await markBadges({ tx, announce: () => announceAfter(deps.queue, tx) }, first.users, {
      isUrgent: runnable.some((batch) => batch.lane === 'transactional'),
    })
    // Last, so that no other worker waits long for a counter.
    const counts = [overdue, current.counts, applied.counts, first.counts, again.counts].flat()
    await addCounts(tx, counts, runnable[0]?.batch_id ?? 0)
    const messageIds = [...new Set(runnable.map((batch) => batch.message_id))]
    const possibleDuplicates = again.counts.reduce((sum, count) => sum + (count.possible_duplicates ?? 0), 0)
    return { number: claim, startedAt: now, leaseUntil, batches, requests, possibleDuplicates, messageIds }
  })
}

/** `users`: the ids of users who got a notification for the first time. */
type Written = { copies: Copy[]; counts: CountChange[]; users: number[] }

async function writeCopies(deps: ClaimDeps, tx: Tx, batches: LockedBatch[], now: Date): Promise<Written> {
  if (batches.length === 0) return { copies: [], counts: [], users: [] }
  const { name: provider, maxPushes: perRequest } = deps.provider
  const users = usersOf(batches)
  const isDense = users.highest - users.lowest < users.count * DENSE
  const insert = () => insertCopies(tx, idsOf(batches), { users, provider, perRequest, expired: false, now })
  const written = isDense ? await withPlans(tx, 'by range', insert) : await insert()
  await divideBatches(deps, tx, written, now)
  const decided = decidedOf(written, batches)
  await insertSkips(tx, skipsOf(decided), now)
  const counts = [...countDecided(decided), ...countRestored(decided, batches)]
  return { copies: written.flatMap(toCopies), counts, users: notifiedUsersOf(decided) }
}

function toCopies(request: NewCopies): Copy[] {
  if (request.submission_id === null) return []
  const { submission_id, batch_ids, user_ids, device_ids, notification_ids, tokens, platforms } = request
  return notification_ids.map((notification_id, index) => ({
    notification_id,
    submission_id,
    batch_id: must(batch_ids[index], 'batch of a copy'),
    user_id: must(user_ids[index], 'user of a copy'),
    device_id: must(device_ids[index], 'device of a copy'),
    token: must(tokens[index], 'push token of a copy'),
    platform: must(platforms[index], 'platform of a copy'),
  }))
}

/** Copies of earlier attempts; those of moved devices, and of users who may not be notified any more, end here. */
async function reopenCopies(
  deps: ClaimDeps,
  tx: Tx,
  { batches, isMuted }: Pick<Applied, 'batches' | 'isMuted'>,
  now: Date,
): Promise<Written> {
  if (batches.length === 0) return { copies: [], counts: [], users: [] }
  const made = earliestOf(batches.map((batch) => batch.message_at))
  const isWanted = (copy: Unsent) => copy.owned && copy.skip === null && !isMuted(copy)
  const [open, over] = partition(await listUnsent(tx, idsOf(batches), { made, now }), isWanted)
  const ended = await endUnsent(tx, over.map(toEnd), { made, now })
  const { maxPushes: perRequest } = deps.provider
  const submissionIds = await nextSubmissionIds(tx, Math.ceil(open.length / perRequest))
  const copies = open.map((copy, index) => ({
    ...copy,
    token: must(copy.token, 'push token of a copy'),
    platform: must(copy.platform, 'platform of a copy'),
    submission_id: must(submissionIds[Math.floor(index / perRequest)], 'submission of a copy'),
  }))
  const again = copies.map((copy) => ({
    notificationId: copy.notification_id,
    userId: copy.user_id,
    submissionId: copy.submission_id,
    before: copy.possible_duplicates,
  }))
  const taken = await resubmitNotifications(tx, again, { made, now })
  const takenIds = new Set(taken.map((copy) => copy.notificationId))
  const sent = copies.filter((copy) => takenIds.has(copy.notification_id))
  return { copies: sent, counts: [...ended, ...taken], users: [] }
}

function toEnd(copy: Unsent) {
  const code = copy.owned ? 'RecipientUnavailable' : 'DeviceMoved'
  return { notificationId: copy.notification_id, userId: copy.user_id, code }
}

function badgedUsersOf(copies: Copy[]): number[] {
  return [...new Set(copies.filter(({ platform }) => platform !== 'android').map((copy) => copy.user_id))]
}

function toRequests(copies: Copy[], batches: LockedBatch[], totals: ReadonlyMap<number, number>): ClaimedPush[][] {
  const messages = new Map<number, Said>()
  const saidIn = new Map<number, Said>()
  for (const batch of batches) {
    const said = messages.get(batch.message_id) ?? contentOf(batch)
    messages.set(batch.message_id, said)
    saidIn.set(batch.batch_id, said)
  }
  const pushes = copies.map((copy): ClaimedPush => {
    const { content, expiresAt } = must(saidIn.get(copy.batch_id), 'message of a copy')
    const badge = copy.platform !== 'android' ? totals.get(copy.user_id) : undefined
    const push = {
      to: copy.token,
      platform: copy.platform,
      notificationId: copy.notification_id,
      content,
      expiresAt,
      ...(badge !== undefined && { badge }),
    }
    return {
      push,
      userId: copy.user_id,
      deviceId: copy.device_id,
      batchId: copy.batch_id,
      submissionId: copy.submission_id,
    }
  })
  return [...Map.groupBy(pushes, (push) => push.submissionId).values()]
}

function contentOf({ title, body, data, lane, merge_key, expires_at }: LockedBatch): Said {
  const content = { title, text: body, ...(data && { data }) }
  return { content: toPushContent(content, lane, merge_key), expiresAt: expires_at }
}

/** All pushes of a request are of one submission. */
export function submissionOf(request: ClaimedPush[]): number {
  return must(request[0], 'push in a request').submissionId
}

function toSubmission(request: ClaimedPush[]) {
  return {
    submissionId: submissionOf(request),
    batchIds: [...new Set(request.map((push) => push.batchId))],
    notificationIds: request.map(({ push }) => push.notificationId),
    userIds: request.map((push) => push.userId),
  }
}

function partition<T>(items: T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))]
}
