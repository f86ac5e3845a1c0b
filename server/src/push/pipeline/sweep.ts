import type { PushDeps } from '../deps.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { announceAfter, isOpenJob } from '../../platform/jobs/queue.ts'
import type { Chores } from '../../platform/shared/chores.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { workIn, type Ground } from '../../platform/work/work.ts'
import { copyAt, end, isOpenIn, refuse, UNKNOWN } from '../ledger/ledger.ts'
import { enqueueCoordination } from '../messages/control.ts'
import { completeFinishedMessages, listMessageStatuses } from '../records/messages.queries.ts'
import {
  listStoppedWithWork,
  listUncoordinatedMessages,
  listUnfinishedMessages,
} from '../records/unfinished.queries.ts'
import { logCompleted } from '../records/endings.ts'
import { decideAhead } from './ahead.ts'
import { expire } from './claim.ts'
import { endComingBack, noteComingBack, delayOf, type CameBack } from './coming-back.ts'
import { endWork } from '../ledger/end-work.ts'
import { catchUpAlerts } from './halt.ts'
import { carryOut, carryOutDecisions, planFor, type Plan } from '../ledger/plan.ts'
import { abandonRequests, type AbandonedRequest } from '../ledger/requests.queries.ts'
import { lockOverdueWork, lockWork } from '../ledger/work.queries.ts'

type SweepDeps = Ground & Pick<PushDeps, 'db' | 'log' | 'providers' | 'isStale'>

const REQUESTS_A_ROUND = 200
const WORK_A_ROUND = 500

/** Finds work that a crash interrupted, by leases and missing jobs and never by age, so a slow campaign continues. */
export function sweepChores(deps: SweepDeps): Chores {
  return {
    'recover abandoned attempts': async () => {
      while ((await recoverAbandoned(deps)) === REQUESTS_A_ROUND);
    },
    'end what is past its time limit': () => expireOverdue(deps),
    'decide while a provider is away': () => decideAhead(deps),
    'replace vanished jobs': () => replaceVanishedJobs(deps),
    'end what is left of stopped messages': () => endStopped(deps),
    'complete finished messages': () => completeFinished(deps),
    'catch up on alerts': () => catchUpAlerts(deps),
    'end the alert of work that comes back': () => endComingBack(deps),
  }
}

/** After failures of our own. Users who were never decided count as skipped, with `stopped`. */
export async function closeDeadWork(deps: Pick<PushDeps, 'db' | 'clock' | 'log'>, workId: number): Promise<void> {
  const now = fromNow(deps.clock)
  const messageId = await inTransaction(deps.db, async (tx) => {
    const work = await lockWork(tx, workId)
    if (work === undefined) return undefined
    const plan = await planFor(tx, [work.batchId], now)
    plan.done.push(work)
    endWork(plan, work, { code: 'WorkerFailed', reason: 'stopped' })
    await carryOut(tx, plan, workId)
    return work.messageId
  })
  if (messageId === undefined) return
  await logCompleted(deps, await completeFinishedMessages(deps.db, [messageId], now))
}

/** Runs also while nothing is sent: an unreachable provider uses no attempt, so only the time limit ends a message. */
async function expireOverdue(deps: SweepDeps): Promise<void> {
  const now = fromNow(deps.clock)
  const round = async () =>
    inPlannedTransaction(deps.db, 'by index', async (tx) => {
      const overdue = await lockOverdueWork(tx, WORK_A_ROUND, now)
      const plan = await planFor(
        tx,
        overdue.map(({ batchId }) => batchId),
        now,
      )
      plan.done.push(...overdue)
      await expire(tx, plan, overdue)
      await carryOutDecisions(workIn(deps, tx), plan, overdue[0]?.workId ?? 0)
      return overdue.length
    })
  while ((await round()) === WORK_A_ROUND);
}

async function replaceVanishedJobs(deps: SweepDeps): Promise<void> {
  for (const { message_id: messageId, job_id: jobId } of await listUncoordinatedMessages(deps.db)) {
    // There are few such messages at any time, and pg-boss can look up only one job at a time.
    if (jobId !== null && (await isOpenJob(deps.queue, 'coordinate', jobId))) continue
    await inTransaction(deps.db, (tx) => enqueueCoordination(workIn(deps, tx), messageId))
  }
}

async function endStopped(deps: SweepDeps): Promise<void> {
  for (const messageId of await listStoppedWithWork(deps.db))
    await inTransaction(deps.db, (tx) => enqueueCoordination(workIn(deps, tx), messageId))
}

async function completeFinished({ db, clock, log }: SweepDeps): Promise<void> {
  const coordinated = (await listUnfinishedMessages(db)).filter((message) => message.coordinated_at !== null)
  const messageIds = coordinated.map((message) => message.message_id)
  const completed = await inPlannedTransaction(db, 'by index', (tx) =>
    completeFinishedMessages(tx, messageIds, fromNow(clock)),
  )
  await logCompleted({ db, log }, completed)
}

async function recoverAbandoned(deps: SweepDeps): Promise<number> {
  const now = fromNow(deps.clock)
  const { count, cameBack } = await inPlannedTransaction(deps.db, 'by index', async (tx) => {
    const requests = await abandonRequests(tx, REQUESTS_A_ROUND, now)
    if (requests.length === 0) return { count: 0, cameBack: [] }
    const plan = await planFor(
      tx,
      requests.flatMap(({ asked }) => asked.map(({ batchId }) => batchId)),
      now,
    )
    const messageIds = requests.flatMap(({ asked }) => asked.map(({ batchId }) => plan.ledger(batchId).messageId))
    const statuses = await listMessageStatuses(tx, [...new Set(messageIds)])
    const isStopped = (messageId: number) => statuses.get(messageId) === 'stopped'
    const again = requests.flatMap((request) => giveUp(deps, plan, request, isStopped))
    await carryOut(tx, plan, requests[0]?.requestId ?? 0)
    announceAfter(deps.queue, tx)
    deps.log.warn({ requests: requests.length }, 'requests without an outcome were marked as unknown')
    return { count: requests.length, cameBack: again }
  })
  await noteComingBack(deps, cameBack)
  return count
}

/** Its copies are unknown, and asked for again, or end so when their attempts are used up. Gives what came back. */
function giveUp(
  { config }: Pick<PushDeps, 'config'>,
  plan: Plan,
  { provider, leaseUntil, asked }: AbandonedRequest,
  isStopped: (messageId: number) => boolean,
): CameBack[] {
  // The attempt began a lease ago, and retries are 60 s apart (decision B4).
  const startedAt = leaseUntil.getTime() - config.PUSH_LEASE_SECONDS * 1_000
  return Array.from(
    Map.groupBy(asked, (one) => one.batchId),
    ([batchId, own]) => {
      const ledger = plan.ledger(batchId)
      const open = own.filter(({ place, round }) => isOpenIn(ledger, place, round))
      if (open.length > 0) plan.changed.push(batchId)
      const again: number[] = []
      for (const { place } of open) {
        refuse(ledger, place, { code: UNKNOWN, isFree: false, isUnsent: false, isFinal: false }, plan.now)
        if (copyAt(ledger, place).tries > config.PUSH_RETRY_LIMIT || isStopped(ledger.messageId))
          end(ledger, place, UNKNOWN, plan.now)
        else again.push(place)
      }
      const { messageId } = ledger
      const times = Math.max(0, ...again.map((place) => copyAt(ledger, place).tries))
      const dueAt = new Date(Math.max(plan.now.getTime(), startedAt + delayOf(times, config.PUSH_RETRY_DELAY_SECONDS)))
      if (again.length > 0) plan.later.push({ batchId, messageId, provider, places: again, dueAt })
      return { messageId, batchId, times }
    },
  )
}
