import type { PushDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import type { MessageStatus } from '../../platform/tables/tables.ts'
import { withPlans } from '../../platform/db/planner.ts'
import { isInTheWay } from '../../platform/db/transaction.ts'
import { countHomes, expectHeard, inPart, isServerAway } from '../../platform/db/homes.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { must } from '../../platform/shared/must.ts'
import type { Work } from '../../platform/work/work.ts'
import { countAudienceOfHome } from '../records/audience.queries.ts'
import { carryOut, endWork, planFor } from '../ledger/plan.ts'
import { deleteUndecided, lockWorkOfMessage } from '../ledger/work.queries.ts'
import { listHomes, listHomesTogether } from '../records/home.queries.ts'
import { APPROVAL_NEEDED } from '../records/unfinished.queries.ts'
import { listEndings } from '../records/counts.queries.ts'
import {
  completeFinishedMessages,
  emptyMessages,
  findCursor,
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
  await withPlans(work.tx, 'by index', () => endWaiting(work, messageId, now))
  return { from: message.status, to: 'stopped' }
}

// A message may have as many copies that wait for a retry as it has people.
const WORK_A_ROUND = 250

async function endWaiting(work: Work, messageId: number, now: Date): Promise<void> {
  const { tx } = work
  const ended = new Set<number>()
  const away = new Set<number>()
  for (const home of listHomes(tx)) {
    if (away.has(home)) continue
    try {
      if (await inPart(tx, () => endAtHome(work, messageId, home))) ended.add(home)
    } catch (error) {
      if (!isServerAway(tx, error)) throw error
      for (const beside of await listHomesTogether(tx, home)) away.add(beside)
    }
  }
  await setMessageStatus(tx, messageId, { status: 'stopped', pauseReason: null, now })
  if (ended.size < listHomes(tx).length) await work.enqueue('coordinate', { messageId })
}

/** Ends what waits in a home of a message that is stopped, up to 250 pieces of work; false: there may be more. */
export async function endAtHome({ tx, now }: Work, messageId: number, home: number): Promise<boolean> {
  expectHeard(tx, home)
  const message = must(await lockMessage(tx, messageId), 'message that is stopped')
  const { audience, last_user_id: last } = message
  const isSelected = audience === 'users' || message.coordinated_at !== null
  const selected = isSelected
    ? 0
    : await countAudienceOfHome(tx, { audience, home, after: findCursor(message, home), last })
  // Who did not get a bulk send can be computed from its audience (ADR 7).
  const undecided = audience === 'users' ? 0 : await deleteUndecided(tx, home, messageId)
  const waiting = await lockWorkOfMessage(tx, home, messageId, WORK_A_ROUND)
  const plan = await planFor(tx, home, waiting, now())
  plan.done.push(...waiting)
  for (const work of waiting) endWork(plan, work, { code: 'Stopped', reason: 'stopped' })
  plan.counts.push({ messageId, selected, skipped_stopped: selected + undecided })
  await carryOut(tx, plan)
  if (!isSelected) await moveCursor(tx, message, { home, cursor: last, now: now() })
  return waiting.length < WORK_A_ROUND
}

/** Completes those that are finished; the sweep does so where a server of the database is away, or a home is locked. */
export async function completeMessages(deps: PushDeps, messageIds: number[]): Promise<void> {
  const finished = await completeFinishedMessages(deps.db, messageIds, fromNow(deps.clock)).catch((error: unknown) => {
    if (isServerAway(deps.db, error) || (countHomes(deps.db) > 1 && isInTheWay(error))) return []
    throw error
  })
  await logCompleted(deps, finished)
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
