import type { PushDeps } from '../deps.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { isInTheWay } from '../../platform/db/transaction.ts'
import { hasOpenJob } from '../../platform/jobs/queue.ts'
import type { Chores } from '../../platform/shared/chores.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { inWork } from '../../platform/work/work.ts'
import { copyAt, end, isOpenIn, refuse, UNKNOWN } from '../ledger/ledger.ts'
import { pastFaults, type Step } from '../ledger/past-faults.ts'
import { carryOut, carryOutDecisions, endWork, inLedgers, planFor, type Plan } from '../ledger/plan.ts'
import { abandonRequests, type AbandonedRequest } from '../ledger/requests.queries.ts'
import { computeDelay, findRetryOfLost, mayRetryLost, OFTEN } from '../ledger/retry.ts'
import { lockOverdueWork } from '../ledger/running-work.queries.ts'
import { countFailure, lockWork } from '../ledger/work.queries.ts'
import { completeMessages, logCompleted } from '../messages/control.ts'
import { raiseAlert, resolveAlert } from '../records/alerts.queries.ts'
import { eachHome } from '../records/home.queries.ts'
import { completeOver, listMessageStatuses } from '../records/messages.queries.ts'
import {
  findWithoutWork,
  listOver,
  listStoppedUnended,
  listUncoordinatedMessages,
  type RunningPlace,
} from '../records/unfinished.queries.ts'
import { decideAhead } from './ahead.ts'
import { expire } from './claim.ts'
import { catchUpAlerts, wakeResumed } from './halt.ts'
import { countHeld, giveHeld } from '../messages/held.ts'

const REQUESTS_A_ROUND = 200
const WORK_A_ROUND = 500
const MESSAGES_A_ROUND = 1_000
const BEFORE_ALL: RunningPlace = { lane: 'campaign', at: 0, messageId: 0 }
const QUIET_MS = 3_600_000
const NAMED = 5

const COMES_BACK = 'WorkComesBack'

export type PlacedWork = { home: number; workId: number }

/** Work of a batch, and how often it came back: failures before a request, or requests of which nothing is known. */
type CameBack = { messageId: number; batchId: number; times: number }

/**
 * Finds work that a crash interrupted, by leases and missing jobs and never by age, so a slow campaign continues.
 * `isSteady`: answers for a home that a process kept are stored by now.
 */
export function sweepChores(deps: PushDeps, isSteady: (home: number) => boolean): Chores {
  const { db, clock } = deps
  return {
    'recover abandoned attempts': async () => {
      await eachHome(db, async (home) => {
        const cameBack: CameBack[] = []
        try {
          await pastFaults(db, REQUESTS_A_ROUND, async (step, note) => {
            if (isSteady(home)) cameBack.push(...(await recoverAbandoned(deps, home, step, note)))
          })
        } finally {
          await noteComingBack(deps, cameBack)
        }
      })
    },
    'end what is past its time limit': async () => {
      await eachHome(db, (home) => endOverdue(deps, home))
    },
    'decide while a provider is away': () => decideAhead(deps),
    'wake what waits for a resumed platform': () => wakeResumed(deps),
    'replace vanished jobs': () => replaceVanishedJobs(deps),
    'end what is left of stopped messages': async () => resumeCoordination(deps, await listStoppedUnended(db)),
    'complete finished messages': () => completeFinished(deps),
    'catch up on alerts': () => catchUpAlerts(deps),
    // Counting comes first, because the pushes carry the counts.
    'count people of homes that were away': () => countHeld(deps),
    'give homes that were away their messages': () => giveHeld(deps),
    // The alert ends when no work has come back for an hour.
    'end the alert of work that comes back': () =>
      resolveAlert(db, COMES_BACK, fromNow(clock), fromNow(clock, -QUIET_MS)),
  }
}

/**
 * The fault is our own, not the provider's: the work waits as `computeDelay` says, and its copies use no attempt. It is
 * given up after the last try, unless the database is slow, which says nothing of the work.
 */
export async function putBack(deps: PushDeps, placed: PlacedWork, error: unknown): Promise<void> {
  const { PUSH_RETRY_LIMIT: limit, PUSH_RETRY_DELAY_SECONDS: delay } = deps.config
  const waits = Array.from({ length: limit + 1 }, (_, n) => computeDelay(n + 1, delay))
  const failed = await countFailure(deps.db, placed, { now: fromNow(deps.clock), waits, isSlow: isInTheWay(error) })
  if (failed === undefined) return
  const { failures, ...work } = failed
  await noteComingBack(deps, [{ ...work, times: Math.abs(failures) }])
  if (failures > limit) await closeDeadWork(deps, placed)
}

/** Ends what our own failures left. Users who were never decided count as skipped, with `stopped`. */
async function closeDeadWork(deps: PushDeps, { home, workId }: PlacedWork): Promise<void> {
  const closed = await inWork(deps, THE_SERVICE, async ({ tx, now }) => {
    const work = await lockWork(tx, home, workId)
    if (work === undefined) return []
    const plan = await planFor(tx, home, [work], now())
    plan.done.push(work)
    endWork(plan, work, { code: 'WorkerFailed', reason: 'stopped' })
    await carryOut(tx, plan)
    return [work.messageId]
  })
  await completeMessages(deps, closed)
}

/** Administrators are told from the third time on which it is. */
async function noteComingBack(
  { db, clock, log }: Pick<PushDeps, 'db' | 'clock' | 'log'>,
  work: readonly CameBack[],
): Promise<void> {
  const often = work.filter(({ times }) => times >= OFTEN)
  if (often.length === 0) return
  log.error({ work: often }, 'work comes back again and again')
  await raiseAlert(db, { code: COMES_BACK, detail: describeReturns(often) }, fromNow(clock))
}

/** Runs also while nothing is sent: an unreachable provider uses no attempt, so only the time limit ends a message. */
function endOverdue(deps: PushDeps, home: number): Promise<void> {
  return pastFaults(deps.db, WORK_A_ROUND, (step, note) =>
    inLedgers(deps, async (work) => {
      const overdue = await lockOverdueWork(work.tx, home, step, work.now())
      note(overdue.map(({ workId }) => workId))
      const plan = await planFor(work.tx, home, overdue, work.now())
      plan.done.push(...overdue)
      await expire(work.tx, plan, overdue)
      await carryOutDecisions(work, plan)
    }),
  )
}

async function replaceVanishedJobs(deps: PushDeps): Promise<void> {
  await resumeCoordination(deps, await listUncoordinatedMessages(deps.db))
}

async function resumeCoordination(deps: PushDeps, messageIds: number[]): Promise<void> {
  for (const messageId of messageIds) {
    // There are few such messages at any time, and pg-boss can look up only one job at a time.
    if (!(await hasOpenJob(deps.queue, 'coordinate', { messageId })))
      await inWork(deps, THE_SERVICE, (work) => work.enqueue('coordinate', { messageId }))
  }
}

/** Works in rounds, because an outage of a provider may leave millions that wait. */
async function completeFinished(deps: PushDeps): Promise<void> {
  for (let after: RunningPlace | undefined = BEFORE_ALL; after;) {
    const place: RunningPlace = after
    const found = await inLedgers(deps, ({ tx }) => findWithoutWork(tx, place, MESSAGES_A_ROUND))
    const over = await listOver(deps.db, found?.messageIds ?? [])
    if (over.length > 0) await logCompleted(deps, await inLedgers(deps, ({ tx, now }) => completeOver(tx, over, now())))
    after = found?.last
  }
}

async function recoverAbandoned(
  deps: PushDeps,
  home: number,
  step: Step,
  note: (requestIds: number[]) => void,
): Promise<CameBack[]> {
  return inLedgers(deps, async ({ tx, now, announce }) => {
    const requests = await abandonRequests(tx, home, step, now())
    note(requests.map(({ requestId }) => requestId).toSorted((a, b) => a - b))
    if (requests.length === 0) return []
    const copies = requests.flatMap((request) => request.copies)
    const plan = await planFor(tx, home, copies, now())
    const messageIds = copies.map(({ batchId }) => plan.ledger(batchId).messageId)
    const statuses = await listMessageStatuses(tx, [...new Set(messageIds)])
    const isStopped = (messageId: number) => statuses.get(messageId) === 'stopped'
    const retries = requests.flatMap((request) => giveUp(deps, plan, request, isStopped))
    await carryOut(tx, plan)
    announce()
    deps.log.warn({ requests: requests.length }, 'requests without an outcome were marked as unknown')
    return retries
  })
}

/** Its copies are unknown, and asked for again, or end so when their attempts are used up. Gives what came back. */
function giveUp(
  { config }: Pick<PushDeps, 'config'>,
  plan: Plan,
  { provider, leaseUntil, copies }: AbandonedRequest,
  isStopped: (messageId: number) => boolean,
): CameBack[] {
  return Array.from(
    Map.groupBy(copies, (one) => one.batchId),
    ([batchId, own]) => {
      const ledger = plan.ledger(batchId)
      const open = own.filter(({ place, round }) => isOpenIn(ledger, place, round))
      if (open.length > 0) plan.changed.add(batchId)
      const retries: number[] = []
      for (const { place } of open) {
        refuse(ledger, place, { code: UNKNOWN, isFree: false, isUnsent: false, isFinal: false }, plan.now)
        const lost = { tries: copyAt(ledger, place).tries, isStopped: isStopped(ledger.messageId) }
        if (mayRetryLost(config, lost)) retries.push(place)
        else end(ledger, place, UNKNOWN, plan.now)
      }
      const { messageId } = ledger
      const times = Math.max(0, ...retries.map((place) => copyAt(ledger, place).tries))
      const dueAt = new Date(Math.max(plan.now.getTime(), findRetryOfLost(config, { tries: times, leaseUntil })))
      if (retries.length > 0) plan.later.push({ batchId, messageId, provider, places: retries, dueAt })
      return { messageId, batchId, times }
    },
  )
}

function describeReturns(often: readonly CameBack[]): string {
  const named = often.slice(0, NAMED).map(({ messageId, batchId }) => `batch ${batchId} of message ${messageId}`)
  const rest = often.length > NAMED ? ` and ${often.length - NAMED} more` : ''
  const times = Math.max(...often.map((one) => one.times))
  return (
    `Work has come back ${times} times without progress: ${named.join(', ')}${rest}. From the third time on it waits ` +
    'twice as long each time, so that other work goes first, and after the last try it is given up. ' +
    'The log of the workers says why.'
  )
}
