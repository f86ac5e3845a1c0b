import type { PushDeps } from '../deps.ts'
import type { Lane } from '../../platform/tables/tables.ts'
import { inParts } from '../../platform/concurrency/in-parts.ts'
import { isDatabaseUnavailable } from '../../platform/db/transaction.ts'
import { reportHealth } from '../provider/breaker.ts'
import { settlePace } from '../provider/pace.ts'
import type { Health, SubmitAnswer } from '../provider/provider.ts'
import type { ProviderInUse } from '../provider/registry.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { completeFinishedMessages, listTraces } from '../records/messages.queries.ts'
import { logCompleted } from '../records/endings.ts'
import { traced } from '../../platform/tracing/tracing.ts'
import type { Ground } from '../../platform/work/work.ts'
import { claimBatches, requestOf, type Claim, type ClaimedPush } from './claim.ts'
import { noteComingBack, delayOf } from './coming-back.ts'
import type { Answered } from './copy-outcomes.ts'
import type { FailureLog } from './failure-log.ts'
import { applyTransition } from './halt.ts'
import { settle, type SettleDeps } from './settle.ts'
import { closeDeadWork } from './sweep.ts'
import { countFailure, type DueChoice, type WorkChoice } from '../ledger/work.queries.ts'

export type SendDeps = Ground &
  Pick<PushDeps, 'db' | 'log' | 'lifecycle' | 'metrics' | 'providers' | 'isStale'> &
  ProviderInUse &
  Pick<SettleDeps, 'settled' | 'isAlive'> & {
    /** Absent: what the provider does not accept is not logged. */
    failures?: FailureLog
  }

/** A group that fails is sent batch by batch; one that fails alone is retried, then closed (decision B4). */
export async function sendBatches(
  deps: SendDeps,
  choice: DueChoice,
  paceTaken = 0,
): Promise<{ batches: number; requests: number }> {
  let locked: number[] = []
  let requests = 0
  try {
    requests = await sendGroup(deps, choice.lane, choice, paceTaken, (workIds) => (locked = workIds))
  } catch (error) {
    if (locked.length === 0 || isDatabaseUnavailable(error)) throw error
    deps.log.warn({ err: error, batches: locked.length }, 'a group of batches failed; each is sent alone')
    for (const workId of locked) requests += await sendAlone(deps, choice.lane, workId)
  }
  return { batches: locked.length, requests }
}

async function sendAlone(deps: SendDeps, lane: Lane, workId: number): Promise<number> {
  try {
    return await sendGroup(deps, lane, { workIds: [workId] }, 0)
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    deps.log.error({ err: error, workId }, 'work failed')
    await putBack(deps, workId)
    return 0
  }
}

async function putBack(deps: SendDeps, workId: number): Promise<void> {
  const { PUSH_RETRY_LIMIT: limit, PUSH_RETRY_DELAY_SECONDS: delay } = deps.config
  const waits = Array.from({ length: limit + 1 }, (_, n) => delayOf(n + 1, delay))
  const failed = await countFailure(deps.db, workId, { now: fromNow(deps.clock), waits })
  if (failed === undefined) return
  const { failures: times, ...work } = failed
  await noteComingBack(deps, [{ ...work, times }])
  if (times > limit) await closeDeadWork(deps, workId)
}

async function sendGroup(
  deps: SendDeps,
  lane: Lane,
  choice: WorkChoice,
  paceTaken: number,
  onLocked?: (workIds: number[]) => void,
): Promise<number> {
  deps.isAlive?.()
  const since = Date.now()
  const claim = await claimBatches(deps, choice, onLocked)
  const way = { provider: deps.provider.name, lane }
  const { due, possibleDuplicates } = claim
  if (due > 0) deps.metrics.push.claimed(way, { batches: due, possibleDuplicates })
  // A claim holds batches of many messages: it continues the trace of the oldest one and is linked to the others.
  const of = deps.tracing.isOn ? await listTraces(deps.db, claim.messageIds) : []
  const attributes = { lane, provider: deps.provider.name, batches: due }
  return traced(deps.tracing, 'send batches', { of, since, attributes }, () => sendClaim(deps, lane, claim, paceTaken))
}

async function sendClaim(deps: SendDeps, lane: Lane, claim: Claim, paceTaken: number): Promise<number> {
  await settlePace(
    deps,
    paceTaken,
    claim.requests.reduce((sum, request) => sum + request.length, 0),
  )
  const inOrder: Health[] = []
  const calls = claim.requests.map(async (request) => {
    const answer = await call(deps, lane, request, claim.leaseUntil)
    inOrder.push(answer.health)
    return answer
  })
  await inParts(calls, async (answers) => {
    await traced(deps.tracing, 'settle', {}, () => settle(deps, claim, answers))
    deps.failures?.count(answers)
  })
  await applyTransition(deps, await reportHealth(deps, inOrder, claim.startedAt))
  await logCompleted(deps, await completeFinishedMessages(deps.db, claim.messageIds, fromNow(deps.clock)))
  return calls.length
}

/**
 * No request begins that could not end within the lease, after the process was told to stop, while the provider is
 * halted, or with a push to a paused platform (ADR 4).
 */
async function call(deps: SendDeps, lane: Lane, request: ClaimedPush[], leaseUntil: Date): Promise<Answered> {
  const beginBefore = leaseUntil.getTime() - deps.config.PUSH_TIMEOUT_SECONDS * 1_000
  const pushes = request.map(({ push }) => push)
  const mayBegin = async () => {
    const { isOpen, paused } = await deps.gate(deps.log)
    const isPaused = pushes.some(({ platform }) => paused.has(platform))
    return isOpen && !isPaused && deps.clock.now() < beginBefore && !deps.lifecycle.draining
  }
  const release = await deps.permits.take({ isUrgent: lane === 'transactional' })
  try {
    const attributes = { provider: deps.provider.name, pushes: pushes.length, request_id: requestOf(request) }
    return await traced(deps.tracing, 'submit', { kind: 'client', attributes }, async (span) => {
      const from = performance.now()
      const answer = await deps.provider.submit(pushes, mayBegin)
      const seconds = (performance.now() - from) / 1_000
      deps.metrics.push.answered({ provider: deps.provider.name, lane }, { outcomes: answer.outcomes, seconds })
      span.set({ health: answer.health.kind, ...countsOf(answer) })
      return { request, ...answer }
    })
  } finally {
    release()
  }
}

function countsOf({ outcomes }: SubmitAnswer) {
  const counts = { accepted: 0, refused: 0, unknown: 0 }
  for (const { kind } of outcomes) counts[kind]++
  return counts
}
