import type { Deps } from '../../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import type { MessageStatus } from '../../platform/db/tables.ts'
import { goByIndex, inTransaction } from '../../platform/db/transaction.ts'
import { announceAfter, enqueue, newJobId } from '../../platform/jobs/queue.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { countAudience } from '../records/audience.queries.ts'
import { finishBatches, lockWaitingBatches } from '../records/batches.queries.ts'
import { addCounts } from '../records/counts.queries.ts'
import { lockMessage, moveCursor, setMessageJob, setMessageStatus, type Message } from '../records/messages.queries.ts'
import { endUnsentOfBatches } from '../records/notifications.queries.ts'
import { insertSkipsOfBatches } from '../records/skips.queries.ts'

type ControlDeps = Pick<Deps, 'db' | 'clock' | 'queue'>

/** Runs last in the transaction that changes a message's status, when it does. */
export type AlsoWithChange = (tx: Tx, change: { from: MessageStatus; to: MessageStatus }) => Promise<void>

/** Pauses a message: nothing of it is submitted any more, and resuming repeats nothing. Repeating it is harmless. */
export async function pauseMessage(
  deps: ControlDeps,
  messageId: number,
  also: AlsoWithChange = nothing,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const message = await lockRunning(tx, messageId, 'paused')
    if (message.status === 'paused') return
    await setMessageStatus(tx, messageId, { status: 'paused', pauseReason: null, now: fromNow(deps.clock) })
    await also(tx, { from: message.status, to: 'paused' })
  })
}

/** Resumes a paused message: its waiting batches may be claimed again, and the coordinator goes on at its cursor. */
export async function resumeMessage(
  deps: ControlDeps,
  messageId: number,
  also: AlsoWithChange = nothing,
): Promise<void> {
  const now = fromNow(deps.clock)
  await inTransaction(deps.db, async (tx) => {
    const message = await lockRunning(tx, messageId, 'resumed')
    if (message.status !== 'paused') return
    await setMessageStatus(tx, messageId, { status: 'sending', pauseReason: null, now })
    announceAfter(deps.queue, tx)
    if (message.coordinated_at === null) await enqueueCoordination(deps, tx, messageId)
    await also(tx, { from: message.status, to: 'sending' })
  })
}

/**
 * Stops a message for good. Users who were not reached count as skipped, copies that wait for a retry end, and requests
 * in flight still store their tickets (decision B8: selected = notified + skipped).
 */
export async function stopMessage(deps: ControlDeps, messageId: number, also: AlsoWithChange = nothing): Promise<void> {
  const now = fromNow(deps.clock)
  await inTransaction(deps.db, async (tx) => {
    const message = await lockRunning(tx, messageId, 'stopped')
    if (message.status === 'stopped') return
    const waiting = await lockWaitingBatches(tx, messageId)
    const fresh = waiting.filter((batch) => batch.claim === null)
    const untouched = fresh.reduce((sum, batch) => sum + batch.users, 0)
    // A batch that was never claimed has no copies.
    const tried = waiting.filter((batch) => batch.claim !== null)
    await goByIndex(tx)
    const ended = await endUnsentOfBatches(tx, idsOf(tried), 'Stopped', now)
    await finishBatches(tx, idsOf(waiting), 'stopped', now)
    // A bulk send may have a million left: who they are follows from its audience.
    if (message.audience === 'users') await insertSkipsOfBatches(tx, idsOf(fresh), 'stopped', now)
    const unselected = await countRest(tx, message)
    const skipped = { messageId, selected: unselected, skipped_stopped: unselected + untouched }
    await addCounts(tx, [...ended, skipped], messageId)
    await moveCursor(tx, messageId, { cursor: message.last_user_id, coordinatedAt: now, jobId: null, now })
    await setMessageStatus(tx, messageId, { status: 'stopped', pauseReason: null, now })
    await also(tx, { from: message.status, to: 'stopped' })
  })
}

/** Enqueues the coordinating job of a message, as part of `tx`. */
export async function enqueueCoordination(deps: Pick<Deps, 'queue'>, tx: Tx, messageId: number): Promise<void> {
  const jobId = newJobId()
  await setMessageJob(tx, messageId, jobId)
  await enqueue(deps.queue, tx, 'coordinate', [{ id: jobId, data: { messageId } }])
}

function idsOf(batches: { batch_id: number }[]): number[] {
  return batches.map((batch) => batch.batch_id)
}

async function lockRunning(tx: Tx, messageId: number, change: 'paused' | 'resumed' | 'stopped'): Promise<Message> {
  const message = await lockMessage(tx, messageId)
  if (message === undefined) throw errors.notFound('This notification')
  const over = message.status === 'completed' || (message.status === 'stopped' && change !== 'stopped')
  if (over) throw errors.invalidState(`The notification is ${message.status} and cannot be ${change}.`)
  return message
}

async function countRest(tx: Tx, message: Message): Promise<number> {
  if (message.audience === 'users' || message.coordinated_at !== null) return 0
  const { audience, cursor_user_id: after, last_user_id: last } = message
  return countAudience(tx, { audience, after, last })
}

async function nothing(): Promise<void> {
  // Most changes stand alone.
}
