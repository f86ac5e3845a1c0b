import type { Deps } from '../../deps.ts'
import type { Tx } from '../../db/connect.ts'
import { goByIndex, inTransaction } from '../../db/transaction.ts'
import type { Push, PushContent } from '../../push/provider.ts'
import { fromNow } from '../../shared/clock.ts'
import { listUnsent, type Unsent } from './audience.queries.ts'
import { finishBatches, lockDueBatches, openAttempt, type BatchChoice, type LockedBatch } from './batches.queries.ts'
import { toPushContent } from './content.ts'
import type { NewCopy } from './copies.ts'
import { addCounts, type CountChange } from './counts.queries.ts'
import { endUnsent, endUnsentOfBatches, insertCopies, resubmitNotifications } from './notifications.queries.ts'
import { insertSubmissions, nextSubmissionIds } from './submissions.queries.ts'

/** A push that has its notification, its batch and its submission. */
export type ClaimedPush = { push: Push; userId: number; deviceId: number; batchId: number; submissionId: number }

/** What transaction 1 put under lease: the requests to make, and the batches they settle. */
export type Claim = {
  /** Fences what comes back: 0 when nothing was claimed. */
  claim: number
  /** No request may begin after this: its copies may be another's by then. */
  leaseUntil: Date
  batches: LockedBatch[]
  requests: ClaimedPush[][]
  /** The messages of all batches that were due. */
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

type ClaimDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'provider'>

/**
 * Transaction 1 of batches: locks those that are due, writes the notifications of users who are still eligible, counts
 * the others by reason, and writes down the requests that are about to be made. `onLocked` hears which batches these are
 * before anything can fail over them. No connection is held once this returns.
 */
export async function claimBatches(
  deps: ClaimDeps,
  choice: BatchChoice,
  onLocked?: (batchIds: number[]) => void,
): Promise<Claim> {
  const now = fromNow(deps.clock)
  const leaseUntil = fromNow(deps.clock, deps.config.PUSH_LEASE_SECONDS * 1_000)
  return inTransaction(deps.db, async (tx) => {
    await goByIndex(tx)
    const runnable = await lockDueBatches(tx, choice, now)
    onLocked?.(idsOf(runnable))
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
    return { claim, leaseUntil, batches, requests, messageIds: [...new Set(runnable.map((batch) => batch.message_id))] }
  })
}

/** True before the first claim: the batch's notifications do not exist yet. */
function isFresh(batch: LockedBatch): boolean {
  return batch.claim === null
}

/** Batches whose message is past its time limit: their copies exist, and end Expired. */
async function expireBatches(tx: Tx, batches: LockedBatch[], now: Date): Promise<void> {
  if (batches.length === 0) return
  const [fresh, tried] = partition(batches, isFresh)
  const written = await insertCopies(tx, idsOf(fresh), { perRequest: 1, expired: true, now })
  const counted = countWritten(written, fresh).map((change) => ({ ...change, failed: change.notifications ?? 0 }))
  const ended = await endUnsentOfBatches(tx, idsOf(tried), 'MessageExpired', now)
  await addCounts(tx, [...counted, ...ended], batches[0]?.batch_id ?? 0)
  await finishBatches(tx, idsOf(batches), 'done', now)
}

async function writeCopies(tx: Tx, batches: LockedBatch[], perRequest: number, now: Date): Promise<Copy[]> {
  const written = await insertCopies(tx, idsOf(batches), { perRequest, expired: false, now })
  await addCounts(tx, countWritten(written, batches), batches[0]?.batch_id ?? 0)
  return written.filter((copy) => copy.skip === null)
}

function countWritten(written: NewCopy[], batches: LockedBatch[]): CountChange[] {
  const messageOf = new Map(batches.map((batch) => [batch.batch_id, batch.message_id]))
  return written.map((copy) => {
    const messageId = messageOf.get(copy.batch_id) ?? 0
    return copy.skip === null ? { messageId, notifications: 1 } : { messageId, [`skipped_${copy.skip}`]: 1 }
  })
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
