import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Lane } from '../../platform/tables/tables.ts'
import { fromNow, sleep, type Clock } from '../../platform/shared/clock.ts'
import { findProviderState, returnToPace, takeFromPace } from './provider-state.queries.ts'
import type { Provider } from './provider.ts'

// Transactional pushes may run this far ahead of the budget; campaigns then wait that much longer.
const AHEAD_MS: Record<Lane, number> = { transactional: 500, campaign: 0 }
// A late wake-up does not lose capacity: this much of it may be caught up.
const CATCH_UP_MS = 250
const LONGEST_NAP_MS = 250

type PaceDeps = {
  db: Db
  clock: Clock
  config: Pick<Config, 'PUSH_RATE_PER_SECOND'>
  provider: Pick<Provider, 'name'>
  isAlive?: () => void
}

/** Waits for room in the budget of all processes (decision B15); false when the signal aborted. Rate 0: no pace. */
export async function takePace(deps: PaceDeps, lane: Lane, pushes: number, signal: AbortSignal): Promise<boolean> {
  const ratePerSecond = deps.config.PUSH_RATE_PER_SECOND
  if (ratePerSecond === 0) return !signal.aborted
  const { name } = deps.provider
  while (!signal.aborted) {
    deps.isAlive?.()
    const now = fromNow(deps.clock)
    const aheadMs = AHEAD_MS[lane]
    if (await takeFromPace(deps.db, name, { now, pushes, ratePerSecond, aheadMs, catchUpMs: CATCH_UP_MS })) return true
    const { pace_free_at } = await findProviderState(deps.db, name)
    const wait = pace_free_at.getTime() - aheadMs - deps.clock.now()
    await sleep(Math.min(Math.max(wait, 1), LONGEST_NAP_MS), signal)
  }
  return false
}

/** Corrects an estimate: `taken` were reserved, `used` were sent. */
export async function settlePace(deps: PaceDeps, taken: number, used: number): Promise<void> {
  const { PUSH_RATE_PER_SECOND: rate } = deps.config
  if (rate > 0 && taken !== used) await returnToPace(deps.db, deps.provider.name, taken - used, rate)
}
