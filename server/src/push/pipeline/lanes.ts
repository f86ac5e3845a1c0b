import { sleep } from '../../platform/shared/clock.ts'
import type { WakeSignal } from '../../platform/jobs/wake-signal.ts'
import type { Lane } from '../../platform/tables/tables.ts'
import { unlessKept } from './kept-tickets.ts'
import { runOnce, type LaneSender, type Round } from './submit.ts'

const AFTER_CONTENDED_MS = 100
// The poller wakes a lane; this only bounds a missed wake-up.
const LONGEST_REST_MS = 60_000

export type LaneSignals = Record<Lane, WakeSignal>

/** Transactional has workers of its own (decision B15). The signal ends them, after what is in flight. */
export async function startLanes(sender: LaneSender, signals: LaneSignals, signal: AbortSignal): Promise<void> {
  const left = new Map<number, number>()
  const workers = {
    transactional: 2,
    campaign: Math.min(Math.max(Math.ceil(sender.config.PUSH_CONCURRENCY / 8), 3), 6),
  }
  const loops = (['transactional', 'campaign'] as const).flatMap((lane) =>
    Array.from({ length: workers[lane] }, () => runLane({ ...sender, left }, lane, signals[lane], signal)),
  )
  await Promise.all(loops)
}

async function runLane(sender: LaneSender, lane: Lane, work: WakeSignal, signal: AbortSignal): Promise<void> {
  const { config, log, loops, queue, failures } = sender
  const { name: provider } = sender.provider
  // No request begins that could not end within the lease; a step of the database ends long before the loop is late.
  const withinMs = (config.PUSH_LEASE_SECONDS + config.PUSH_TIMEOUT_SECONDS) * 1_000
  const failed = (error: unknown) => log.error({ err: error, lane, provider }, 'a lane failed and continues')
  let hasWorked = false
  const kept = new Set<Promise<unknown>>()
  await loops.run({ name: `${provider} ${lane}`, work, signal, withinMs, failed }, async (isAlive) => {
    failures?.tell()
    const round = await unlessKept<Round>(sender, { otherwise: 'worked', kept }, (onKept) =>
      runOnce({ ...sender, isAlive, onKept }, lane, signal),
    )
    // A settled batch may be due again before the next poll.
    if (hasWorked && round === 'idle') queue.announced.wake()
    hasWorked = round === 'worked'
    if (round === 'contended') await sleep(AFTER_CONTENDED_MS, signal)
    return round === 'idle' ? LONGEST_REST_MS : 0
  })
  await Promise.all(kept)
}
