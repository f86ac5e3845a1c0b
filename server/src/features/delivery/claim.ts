import type { Deps } from '../../deps.ts'
import type { Tx } from '../../db/connect.ts'
import { goByIndex, inTransaction } from '../../db/transaction.ts'
import type { Push, PushContent } from '../../push/provider.ts'
import { fromNow } from '../../shared/clock.ts'
import { listRecipients, listUnsent, type Recipient, type Unsent } from './audience.queries.ts'
import { finishBatches, lockBatches, openAttempt, type LockedBatch } from './batches.queries.ts'
import { toPushContent } from './content.ts'
import { addCounts, type CountChange } from './counts.queries.ts'
import { endUnsent, endUnsentOfBatches, insertNotifications, resubmitNotifications } from './notifications.queries.ts'
import { insertSubmissions, nextSubmissionIds } from './submissions.queries.ts'

/** A push that has its notification, its batch and its submission. */
export type ClaimedPush = { push: Push; userId: number; deviceId: number; batchId: number; submissionId: number }

/** What transaction 1 put under lease: the requests to make, and the batches they settle. */
export type Claim = {
  /** Fences what comes back: 0 when nothing was claimed. */
  claim: number
  batches: LockedBatch[]
  requests: ClaimedPush[][]
  /** The messages of all batches that were looked at. */
  messageIds: number[]
}

/** A copy about to be submitted; `notificationId` absent: its row does not exist yet. */
type Candidate = {
  notificationId?: number
  messageId: number
  batchId: number
  userId: number
  deviceId: number
  token: string
  platform: Push['platform']
}

// The queue goes by the database's clock, batches by this process's.
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
    const locked = await lockBatches(tx, batchIds)
    const runnable = locked.filter((batch) => isRunnable(batch, now))
    const [expired, ready] = partition(runnable, (batch) => batch.expires_at <= now)
    await expireBatches(tx, expired, now)
    const candidates = [
      ...(await newCandidates(tx, ready.filter(isFresh))),
      ...(await repeatedCandidates(
        tx,
        ready.filter((batch) => !isFresh(batch)),
        now,
      )),
    ]
    const sending = new Set(candidates.map((candidate) => candidate.batchId))
    const [batches, idle] = partition(ready, (batch) => sending.has(batch.batch_id))
    await finishBatches(
      tx,
      idle.map((batch) => batch.batch_id),
      'done',
      now,
    )
    const messageIds = [...new Set(runnable.map((batch) => batch.message_id))]
    if (batches.length === 0) return { claim: 0, batches, requests: [], messageIds }
    const requests = await writeRequests(tx, deps, { candidates, batches, now, leaseUntil })
    const claim = requests[0]?.[0]?.submissionId ?? 0
    await openAttempt(
      tx,
      batches.map((batch) => batch.batch_id),
      { claim, leaseUntil, now },
    )
    return { claim, batches, requests, messageIds }
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

/** Batches whose message is past its time limit: their copies exist, and end Expired. */
async function expireBatches(tx: Tx, batches: LockedBatch[], now: Date): Promise<void> {
  if (batches.length === 0) return
  const [fresh, tried] = partition(batches, isFresh)
  const recipients = await listRecipients(
    tx,
    fresh.map((batch) => batch.batch_id),
  )
  const copies = recipients.flatMap((r) =>
    r.skip === null && r.device_id !== null
      ? [{ messageId: r.message_id, batchId: r.batch_id, userId: r.user_id, deviceId: r.device_id, submissionId: null }]
      : [],
  )
  const stored = await insertNotifications(tx, copies, { code: 'MessageExpired', now })
  const ended = await endUnsentOfBatches(
    tx,
    tried.map((batch) => batch.batch_id),
    'MessageExpired',
    now,
  )
  const created = stored.map((row) => ({ messageId: row.message_id, notifications: 1, failed: 1 }))
  await addCounts(tx, [...created, ...skippedUsers(recipients), ...ended], batches[0]?.batch_id ?? 0)
  await finishBatches(
    tx,
    batches.map((batch) => batch.batch_id),
    'done',
    now,
  )
}

async function newCandidates(tx: Tx, batches: LockedBatch[]): Promise<Candidate[]> {
  if (batches.length === 0) return []
  const recipients = await listRecipients(
    tx,
    batches.map((batch) => batch.batch_id),
  )
  await addCounts(tx, skippedUsers(recipients), batches[0]?.batch_id ?? 0)
  return recipients.flatMap((r) =>
    r.skip === null && r.device_id !== null && r.token !== null && r.platform !== null
      ? [
          {
            messageId: r.message_id,
            batchId: r.batch_id,
            userId: r.user_id,
            deviceId: r.device_id,
            token: r.token,
            platform: r.platform,
          },
        ]
      : [],
  )
}

/** What earlier attempts left; copies whose device moved, or whose user may no longer be notified, end here. */
async function repeatedCandidates(tx: Tx, batches: LockedBatch[], now: Date): Promise<Candidate[]> {
  if (batches.length === 0) return []
  const unsent = await listUnsent(
    tx,
    batches.map((batch) => batch.batch_id),
  )
  const [open, over] = partition(unsent, (copy) => copy.owned && copy.skip === null)
  const ended = await endUnsent(tx, over.map(toEnd), now)
  await addCounts(tx, ended, batches[0]?.batch_id ?? 0)
  return open.map((copy) => ({
    notificationId: copy.notification_id,
    messageId: copy.message_id,
    batchId: copy.batch_id,
    userId: copy.user_id,
    deviceId: copy.device_id,
    token: copy.token,
    platform: copy.platform,
  }))
}

function toEnd(copy: Unsent) {
  const code = copy.owned ? 'RecipientUnavailable' : 'DeviceMoved'
  return { notificationId: copy.notification_id, userId: copy.user_id, code }
}

type Writing = { candidates: Candidate[]; batches: LockedBatch[]; now: Date; leaseUntil: Date }

/** Packs copies into requests of the provider's size, whatever batch they come from, and stores both. */
async function writeRequests(tx: Tx, deps: ClaimDeps, { candidates, batches, now, leaseUntil }: Writing) {
  const groups = chunk(candidates, deps.provider.maxPushes)
  const submissionIds = await nextSubmissionIds(tx, groups.length)
  const placed = groups.flatMap((group, index) => {
    const submissionId = submissionIds[index] ?? 0
    return group.map((candidate) => ({ ...candidate, submissionId }))
  })
  const ids = await storeCopies(tx, placed, now)
  const messages = new Map(batches.map((batch) => [batch.message_id, messageOf(batch)]))
  const pushes = placed.flatMap((copy): ClaimedPush[] => {
    const notificationId = copy.notificationId ?? ids.get(keyOf(copy))
    const message = messages.get(copy.messageId)
    if (notificationId === undefined || message === undefined) return []
    const push = { to: copy.token, platform: copy.platform, notificationId, ...message }
    return [
      { push, userId: copy.userId, deviceId: copy.deviceId, batchId: copy.batchId, submissionId: copy.submissionId },
    ]
  })
  const requests = [...Map.groupBy(pushes, (push) => push.submissionId).values()]
  await insertSubmissions(tx, requests.map(toSubmission), { now, leaseUntil })
  return requests
}

/** Writes new copies and reopens repeated ones; gives the ids of the new. */
async function storeCopies(
  tx: Tx,
  placed: (Candidate & { submissionId: number })[],
  now: Date,
): Promise<Map<string, number>> {
  const [repeated, fresh] = partition(placed, (copy) => copy.notificationId !== undefined)
  const stored = await insertNotifications(tx, fresh, { code: null, now })
  const again = repeated.map(({ notificationId = 0, userId, submissionId }) => ({
    notificationId,
    userId,
    submissionId,
  }))
  const duplicates: CountChange[] = await resubmitNotifications(tx, again, now)
  const created = stored.map((row) => ({ messageId: row.message_id, notifications: 1 }))
  await addCounts(tx, [...created, ...duplicates], placed[0]?.batchId ?? 0)
  return new Map(
    stored.map((row) => [
      keyOf({ messageId: row.message_id, userId: row.user_id, deviceId: row.device_id }),
      row.notification_id,
    ]),
  )
}

function keyOf(copy: { messageId: number; userId: number; deviceId: number }): string {
  return `${copy.messageId}:${copy.userId}:${copy.deviceId}`
}

function messageOf(batch: LockedBatch): { content: PushContent; expiresAt: Date } {
  const { title, body, data, lane, expires_at } = batch
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

/** One count a user and reason, however many devices the user has. */
function skippedUsers(recipients: Recipient[]): CountChange[] {
  const users = new Map(recipients.map((r) => [`${r.batch_id}:${r.user_id}`, r]))
  return [...users.values()].flatMap((r) =>
    r.skip === null ? [] : [{ messageId: r.message_id, [`skipped_${r.skip}`]: 1 }],
  )
}

function chunk<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

function partition<T>(items: T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))]
}
