import type { Sender } from '../deps.ts'
import type { Lane } from '../../platform/tables/tables.ts'
import { fromNow, sleep } from '../../platform/shared/clock.ts'
import { findProviderState, returnToPace, takeFromPace } from './provider-state.queries.ts'

// Transactional pushes may run this far ahead of the budget; campaigns then wait that much longer.
const AHEAD_MS: Record<Lane, number> = { transactional: 500, campaign: 0 }
// A late wake-up does not lose capacity: this much of it may be caught up.
const CATCH_UP_MS = 250
const LONGEST_NAP_MS = 250

/** Waits for room in the budget of all processes (decision B15); false when the signal aborted. Rate 0: no pace. */
export async function takePace(
  sender: Sender & { isAlive?: () => void },
  lane: Lane,
  pushes: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { clock, db, provider, instance, isAlive } = sender
  const { ratePerSecond } = instance
  if (ratePerSecond === 0) return !signal.aborted
  while (!signal.aborted) {
    isAlive?.()
    const now = fromNow(clock)
    const aheadMs = AHEAD_MS[lane]
    const reservation = { now, pushes, ratePerSecond, climb: provider.climb, aheadMs, catchUpMs: CATCH_UP_MS }
    if (await takeFromPace(db, provider.name, reservation)) return true
    const { pace_free_at } = await findProviderState(db, provider.name)
    const wait = pace_free_at.getTime() - aheadMs - clock.now()
    await sleep(Math.min(Math.max(wait, 1), LONGEST_NAP_MS), signal)
  }
  return false
}

/** Corrects an estimate: `taken` were reserved, `used` were sent. */
export async function settlePace({ instance, db, provider }: Sender, taken: number, used: number): Promise<void> {
  const { ratePerSecond: rate } = instance
  if (rate > 0 && taken !== used) await returnToPace(db, provider.name, taken - used, rate)
}
