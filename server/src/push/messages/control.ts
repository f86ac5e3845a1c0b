import type { PushDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import type { MessageStatus } from '../../platform/tables/tables.ts'
import { withPlans } from '../../platform/db/planner.ts'
import { unlessAway } from '../../platform/db/homes.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Work } from '../../platform/work/work.ts'
import { countAudienceByHome } from '../records/audience.queries.ts'
import { carryOut, endWork, planFor } from '../ledger/plan.ts'
import { deleteUndecided, lockWorkOfMessage } from '../ledger/work.queries.ts'
import { listHomes } from '../records/home.queries.ts'
import { APPROVAL_NEEDED } from '../records/unfinished.queries.ts'
import { listEndings, type CountChange } from '../records/counts.queries.ts'
import {
  completeFinishedMessages,
  emptyMessages,
  lockMessage,
  moveCursor,
  setMessageStatus,
  type Message,
} from '../records/messages.queries.ts'

export type StatusChange = { from: MessageStatus; to: MessageStatus }

/** Undefined when nothing changes. Resuming repeats nothing. */
export async function pauseMessage(work: Work, messageId: number): Promise<StatusChange | undefined> {
  const message = await lockRunning(work.tx, messageId, 'paused')
  // If a halt paused it, it now counts as paused by the person and stays paused when sending resumes.
  if (message.status === 'paused' && message.pause_reason === null) return undefined
  await setMessageStatus(work.tx, messageId, { status: 'paused', pauseReason: null, now: work.now() })
  return { from: message.status, to: 'paused' }
}

export async function resumeMessage(work: Work, messageId: number): Promise<StatusChange | undefined> {
  const message = await lockRunning(work.tx, messageId, 'resumed')
  if (message.status !== 'paused') return undefined
  await goOn(work, message)
  return { from: message.status, to: 'sending' }
}

/** Gives false when it is paused for another reason than a halt, or is over. */
export async function resumeAfterHalt(work: Work, messageId: number): Promise<boolean> {
  const message = await lockMessage(work.tx, messageId)
  const reason = message?.status === 'paused' ? message.pause_reason : null
  if (message === undefined || reason === null || reason === APPROVAL_NEEDED) return false
  await goOn(work, message)
  return true
}

async function goOn(work: Work, { message_id: messageId, coordinated_at }: Message): Promise<void> {
  await setMessageStatus(work.tx, messageId, { status: 'sending', pauseReason: null, now: work.now() })
  work.announce()
  if (coordinated_at === null) await work.enqueue('coordinate', { messageId })
}

/** Unreached users count as skipped; requests in flight still store their tickets (decision B8). */
export async function stopMessage(work: Work, messageId: number): Promise<StatusChange | undefined> {
  const now = work.now()
  const message = await lockRunning(work.tx, messageId, 'stopped')
  if (message.status === 'stopped') return undefined
  await withPlans(work.tx, 'by index', () => endWaiting(work, message, now))
  return { from: message.status, to: 'stopped' }
}

// A message may have as many copies that wait for a retry as it has people.
const WORK_A_ROUND = 250

async function endWaiting(work: Work, message: Message, now: Date): Promise<void> {
  const { tx } = work
  const { message_id: messageId, audience } = message
  const unselected = await countRest(tx, message)
  const areEnded: boolean[] = []
  for (const home of listHomes(tx)) {
    const selected = unselected.get(home) ?? 0
    // Who did not get a bulk send can be computed from its audience (ADR 7).
    const undecided = audience === 'users' ? 0 : await deleteUndecided(tx, home, messageId)
    const counts = { messageId, selected, skipped_stopped: selected + undecided }
    areEnded.push(await endRestOf(work, home, counts))
  }
  await moveCursor(tx, messageId, { cursor: message.last_user_id, coordinatedAt: now, now })
  await setMessageStatus(tx, messageId, { status: 'stopped', pauseReason: null, now })
  if (areEnded.includes(false)) await work.enqueue('coordinate', { messageId })
}

/** Ends up to 250 pieces of work in each home of a message that was stopped; false: there may be more. */
export async function endRest(work: Work, messageId: number): Promise<boolean> {
  const areEnded: boolean[] = []
  for (const home of listHomes(work.tx)) areEnded.push(await endRestOf(work, home, { messageId }))
  return !areEnded.includes(false)
}

async function endRestOf({ tx, now }: Work, home: number, counts: CountChange): Promise<boolean> {
  const waiting = await lockWorkOfMessage(tx, home, counts.messageId, WORK_A_ROUND)
  const plan = await planFor(tx, home, waiting, now())
  plan.done.push(...waiting)
  for (const work of waiting) endWork(plan, work, { code: 'Stopped', reason: 'stopped' })
  plan.counts.push(counts)
  await carryOut(tx, plan)
  return waiting.length < WORK_A_ROUND
}

/** Completes those that are finished; the sweep does so where a server of the database is away. */
export async function completeMessages(deps: PushDeps, messageIds: number[]): Promise<void> {
  const finished = completeFinishedMessages(deps.db, messageIds, fromNow(deps.clock))
  await logCompleted(deps, await unlessAway(deps.db, finished, []))
}

export async function logCompleted({ db, log }: PushDeps, campaigns: number[]): Promise<void> {
  for (const ending of await listEndings(db, campaigns)) log.info(ending, 'a campaign was completed')
}

/** Empties messages about purged people, in the purge's transaction (decision C7). */
export async function forgetMessages(tx: Tx, messageIds: number[]): Promise<void> {
  if (messageIds.length > 0) await emptyMessages(tx, messageIds)
}

async function lockRunning(tx: Tx, messageId: number, change: 'paused' | 'resumed' | 'stopped'): Promise<Message> {
  const message = await lockMessage(tx, messageId)
  if (message === undefined) throw errors.notFound('This notification')
  const ended = message.status === 'completed' || (message.status === 'stopped' && change !== 'stopped')
  if (ended) throw errors.invalidState(`The notification is ${message.status} and cannot be ${change}.`)
  return message
}

async function countRest(tx: Tx, message: Message): Promise<Map<number, number>> {
  if (message.audience === 'users' || message.coordinated_at !== null) return new Map()
  const { audience, cursor_user_id: after, last_user_id: last } = message
  return countAudienceByHome(tx, { audience, after, last })
}
