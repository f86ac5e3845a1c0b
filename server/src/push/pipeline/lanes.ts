import type { PushDeps } from '../deps.ts'
import type { Lane } from '../../platform/tables/tables.ts'
import type { WakeSignal } from '../../platform/jobs/wake-signal.ts'
import { askBreaker, reportHealth } from '../provider/breaker.ts'
import { takePace } from '../provider/pace.ts'
import { fromNow, sleep } from '../../platform/shared/clock.ts'
import { USERS_PER_BATCH } from '../ledger/ledger.queries.ts'
import { wakeMessages } from '../records/messages.queries.ts'
import { applyTransition } from './halt.ts'
import { sendBatches, type SendDeps } from './send-batches.ts'
import { countDueWork } from '../ledger/work.queries.ts'

// With a pace about one full request, so that nothing claimed waits; without one measured (docs/benchmarks.md).
const BATCHES_A_CLAIM = { paced: 2, free: 32 }
const AFTER_BEATEN_MS = 100
// The poller wakes a lane; this only bounds a missed wake-up.
const LONGEST_REST_MS = 60_000

type LaneDeps = SendDeps & Pick<PushDeps, 'loops'>

export type LaneSignals = Record<Lane, WakeSignal>

/** Transactional has workers of its own (decision B15). Stopping finishes what is in flight. */
export function startLanes(deps: LaneDeps, signals: LaneSignals): { stop: () => Promise<void> } {
  const ending = new AbortController()
  const campaignWorkers = Math.min(Math.max(Math.ceil(deps.config.PUSH_CONCURRENCY / 8), 3), 6)
  const loops = [
    ...Array.from({ length: 2 }, () => runLane(deps, signals, 'transactional', ending.signal)),
    ...Array.from({ length: campaignWorkers }, () => runLane(deps, signals, 'campaign', ending.signal)),
  ]
  const stop = async () => {
    ending.abort()
    await Promise.all(loops)
  }
  return { stop }
}

async function runLane(deps: LaneDeps, signals: LaneSignals, lane: Lane, signal: AbortSignal): Promise<void> {
  const { name: provider } = deps.provider
  // No request begins that could not end within the lease; a step of the database ends long before the loop is late.
  const withinMs = (deps.config.PUSH_LEASE_SECONDS + deps.config.PUSH_TIMEOUT_SECONDS) * 1_000
  const failed = (error: unknown) => deps.log.error({ err: error, lane, provider }, 'a lane failed and continues')
  let hasWorked = false
  await deps.loops.run(
    { name: `${provider} ${lane}`, work: signals[lane], signal, withinMs, failed },
    async (isAlive) => {
      deps.failures?.tell()
      const round = await runOnce({ ...deps, isAlive }, lane, signal)
      // A settled batch may be due again before the next poll.
      if (hasWorked && round === 'idle') deps.queue.announced.wake()
      hasWorked = round === 'worked'
      if (round === 'beaten') await sleep(AFTER_BEATEN_MS, signal)
      return round === 'idle' ? LONGEST_REST_MS : 0
    },
  )
}

/** `beaten`: other workers were faster. */
export type Round = 'worked' | 'beaten' | 'idle'

export async function runOnce(deps: SendDeps, lane: Lane, signal: AbortSignal): Promise<Round> {
  const admission = await askBreaker(deps)
  if (admission === 'wait') return 'idle'
  const most = mostBatches(deps, admission)
  if (lane === 'transactional') await wakeMessages(deps.db, fromNow(deps.clock))
  const due = await countDueWork(deps.db, deps.provider.name, { lane, limit: most }, fromNow(deps.clock))
  if (due === 0) {
    // The provider answered the probe, but there is no batch for the trial.
    if (admission === 'trial') await applyTransition(deps, await reportHealth(deps, [{ kind: 'healthy' }]))
    return 'idle'
  }
  const estimate = lane === 'transactional' ? due : due * USERS_PER_BATCH
  const from = performance.now()
  const isTaken = await takePace(deps, lane, estimate, signal)
  deps.metrics.push.waitedForPace({ provider: deps.provider.name, lane }, (performance.now() - from) / 1_000)
  if (!isTaken) return 'idle'
  const batches =
    admission === 'trial'
      ? await sendTrial(deps, lane, estimate, signal)
      : (await sendBatches(deps, { lane, limit: due }, estimate)).batches
  return batches > 0 ? 'worked' : 'beaten'
}

/** One batch, and more until one brings a request: others have no device of this provider. Gives how many were due. */
async function sendTrial(deps: SendDeps, lane: Lane, paceTaken: number, signal: AbortSignal): Promise<number> {
  const choice = { lane, limit: 1 }
  let sent = await sendBatches(deps, choice, paceTaken)
  let { batches } = sent
  while (sent.batches > 0 && sent.requests === 0 && !signal.aborted) {
    sent = await sendBatches(deps, choice)
    batches += sent.batches
  }
  return batches
}

function mostBatches(deps: Pick<SendDeps, 'config'>, admission: 'go' | 'trial'): number {
  if (admission === 'trial') return 1
  return deps.config.PUSH_RATE_PER_SECOND > 0 ? BATCHES_A_CLAIM.paced : BATCHES_A_CLAIM.free
}
