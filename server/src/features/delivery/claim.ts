import type { Deps } from '../../deps.ts'
import type { Tx } from '../../db/connect.ts'
import { goByIndex, inTransaction } from '../../db/transaction.ts'
import type { Push, PushContent } from '../../push/provider.ts'
import { fromNow } from '../../shared/clock.ts'
import { listUnsent, type Unsent } from './audience.queries.ts'
import { finishBatches, lockBatches, openAttempt, type LockedBatch } from './batches.queries.ts'
import { toPushContent } from './content.ts'
import { addCounts } from './counts.queries.ts'
import { countWritten, expireBatches } from './expire.ts'
import { endUnsent, insertCopies, resubmitNotifications } from './notifications.queries.ts'
import { insertSubmissions, nextSubmissionIds } from './submissions.queries.ts'

/** A push that has its notification, its batch and its submission. */
export type ClaimedPush = { push: Push; userId: number; deviceId: number; batchId: number; submissionId: number }

/** What transaction 1 put under lease: the requests to make, and the batches they settle. */
export type Claim = {
  /** Fences what comes back: 0 when nothing was claimed. */
  claim: number
  startedAt: Date
  /** No request may begin after this: its copies may be another's by then. */
  leaseUntil: Date
  batches: LockedBatch[]
  requests: ClaimedPush[][]
  /** The messages of all batches that were looked at. */
  messageIds: number[]
}

/** What a batch's message puts into every push. */
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

// The queue goes by the database's clock, batches by this process's copy of it.
const CLOCK_TOLERANCE_MS = 5_000

type ClaimDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'provider'>

/**
 * Transaction 1 of batches: locks them, writes the notifications of users who are still eligible, counts the others by
 * reason, and writes down the requests that are about to be made. A batch that is done, waits, belongs to a paused or
 * stopped message or to another worker is passed over. No connection is held once this returns.
 */
export async function claimBatches(deps: ClaimDeps, batchIds: number[]): Promise<Claim> {
  const now = fromNow(deps.clock)
  const leaseUntil = fromNow(deps.clock, deps.config.PUSH_LEASE_SECONDS * 1_000)
  return inTransaction(deps.db, async (tx) => {
    await goByIndex(tx)
    const runnable = (await lockBatches(tx, batchIds)).filter((batch) => isRunnable(batch, now))
    const [expired, ready] = partition(runnable, (batch) => batch.expires_at <= now)
    const [fresh, tried] = partition(ready, isFresh)
    await expireBatches(tx, expired, now)
    const perRequest = deps.provider.maxPushes
    const copies = [
      ...(await writeCopies(tx, fresh, perRequest, now)),
      ...(await reopenCopies(tx, tried, perRequest, now)),
    ]
    const sending = new Set(copies.map((copy) => copy.batch_id))
    const [batches, idle] = partition(ready, (batch) => sending.has(batch.batch_id))
    await finishBatches(tx, idsOf(idle), 'done', now)
    const requests = toRequests(copies, batches)
    await insertSubmissions(tx, requests.map(toSubmission), { now, leaseUntil })
    const claim = copies[0]?.submission_id ?? 0
    await openAttempt(tx, idsOf(batches), { claim, leaseUntil, now })
    return {
      claim,
      startedAt: now,
      leaseUntil,
      batches,
      requests,
      messageIds: [...new Set(runnable.map((batch) => batch.message_id))],
    }
  })
}

function isRunnable(batch: LockedBatch, now: Date): boolean {
  if (batch.status !== 'queued' && batch.status !== 'waiting') return false
  if (batch.message_status !== 'queued' && batch.message_status !== 'sending') return false
  return batch.due_at.getTime() <= now.getTime() + CLOCK_TOLERANCE_MS
}

/** True before the first claim: the batch's notifications do not exist yet. */
function isFresh(batch: LockedBatch): boolean {
  return batch.claim === null
}

async function writeCopies(tx: Tx, batches: LockedBatch[], perRequest: number, now: Date): Promise<Copy[]> {
  const written = await insertCopies(tx, idsOf(batches), { perRequest, expired: false, now })
  await addCounts(tx, countWritten(written, batches), batches[0]?.batch_id ?? 0)
  return written.filter((copy) => copy.skip === null)
}

/** What earlier attempts left; copies whose device moved, or whose user may no longer be notified, end here. */
async function reopenCopies(tx: Tx, batches: LockedBatch[], perRequest: number, now: Date): Promise<Copy[]> {
  if (batches.length === 0) return []
  const [open, over] = partition(await listUnsent(tx, idsOf(batches)), (copy) => copy.owned && copy.skip === null)
  const ended = await endUnsent(tx, over.map(toEnd), now)
  const submissionIds = await nextSubmissionIds(tx, Math.ceil(open.length / perRequest))
  const copies = open.map((copy, index) => ({
    ...copy,
    submission_id: submissionIds[Math.floor(index / perRequest)] ?? 0,
  }))
  const again = copies.map((copy) => ({
    notificationId: copy.notification_id,
    userId: copy.user_id,
    submissionId: copy.submission_id,
  }))
  const duplicates = await resubmitNotifications(tx, again, now)
  await addCounts(tx, [...ended, ...duplicates], batches[0]?.batch_id ?? 0)
  return copies
}

function toEnd(copy: Unsent) {
  const code = copy.owned ? 'RecipientUnavailable' : 'DeviceMoved'
  return { notificationId: copy.notification_id, userId: copy.user_id, code }
}

function toRequests(copies: Copy[], batches: LockedBatch[]): ClaimedPush[][] {
  const messages = new Map<number, Said>()
  const saidIn = new Map<number, Said>()
  for (const batch of batches) {
    const said = messages.get(batch.message_id) ?? whatIsSaid(batch)
    messages.set(batch.message_id, said)
    saidIn.set(batch.batch_id, said)
  }
  const pushes = copies.flatMap((copy): ClaimedPush[] => {
    const said = saidIn.get(copy.batch_id)
    if (said === undefined) return []
    const { content, expiresAt } = said
    const push = { to: copy.token, platform: copy.platform, notificationId: copy.notification_id, content, expiresAt }
    return [
      {
        push,
        userId: copy.user_id,
        deviceId: copy.device_id,
        batchId: copy.batch_id,
        submissionId: copy.submission_id,
      },
    ]
  })
  return [...Map.groupBy(pushes, (push) => push.submissionId).values()]
}

function whatIsSaid({ title, body, data, lane, expires_at }: LockedBatch): Said {
  return { content: toPushContent({ title, text: body, ...(data && { data }) }, lane), expiresAt: expires_at }
}

function toSubmission(request: ClaimedPush[]) {
  return {
    submissionId: request[0]?.submissionId ?? 0,
    batchIds: [...new Set(request.map((push) => push.batchId))],
    notificationIds: request.map(({ push }) => push.notificationId),
    userIds: request.map((push) => push.userId),
  }
}

function idsOf(batches: LockedBatch[]): number[] {
  return batches.map((batch) => batch.batch_id)
}

function partition<T>(items: T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))]
}
