import type { PushDeps } from '../deps.ts'
import type { WakeSignal } from '../../platform/jobs/wake-signal.ts'
import { sleep } from '../../platform/shared/clock.ts'
import type { Work } from '../../platform/work/work.ts'
import { USERS_PER_BATCH } from '../ledger/ledger.queries.ts'
import { pastFaults, type Step } from '../ledger/past-faults.ts'
import { carryOutDecisions, inLedgersAtHome } from '../ledger/plan.ts'
import { lockUndecidedWork, type Undecided } from '../ledger/running-work.queries.ts'
import { countWaitingCopies } from '../ledger/work.queries.ts'
import { listBreakers } from '../provider/provider-state.queries.ts'
import { eachHome } from '../records/home.queries.ts'
import { listNames } from '../provider/registry.ts'
import { decideDue } from './claim.ts'
import type { SendingWay } from './decide.ts'

const BATCHES_A_ROUND = 500
const AHEAD_SECONDS = 60
// Pushes a second where no pace is set.
const RATE = 600
const LONGEST_REST_MS = 60_000
// A round, which is a statement and the rest after it, takes no longer.
const ROUND_WITHIN_MS = 120_000

/** Nobody sends, so all copies wait. */
const NOBODY: SendingWay = { provider: '', paused: new Set() }

/**
 * While no provider takes pushes it decides transactional messages, so that inboxes and badges have them; while one
 * does not answer, of campaigns what a minute would send (decision B25). A halt pauses campaigns. The lanes of a
 * provider that takes pushes decide for all.
 */
export async function decideAhead(deps: PushDeps): Promise<void> {
  const names = listNames(deps.providers)
  const breakers = await listBreakers(deps.db, names)
  if (breakers.includes('closed')) return
  await eachHome(deps.db, (home) =>
    pastFaults(deps.db, BATCHES_A_ROUND, (step, note) => decideRound(deps, { home, which: 'at once', ...step }, note)),
  )
  if (!breakers.some((breaker) => breaker === 'open' || breaker === 'half_open')) return
  const rates = deps.providers.map(({ instance }) => instance.ratePerSecond || RATE)
  const most = rates.reduce((sum, rate) => sum + rate, 0) * AHEAD_SECONDS
  let left = Math.floor((most - (await countWaitingCopies(deps.db, names, most))) / USERS_PER_BATCH)
  await eachHome(deps.db, (home) =>
    pastFaults(deps.db, BATCHES_A_ROUND, async ({ after, limit }, note) => {
      const few = Math.min(left, limit)
      if (few > 0) left -= await decideRound(deps, { home, which: 'ahead', after, limit: few }, note)
    }),
  )
}

/** Decides transactional messages at once, while the poller finds that no provider takes pushes. */
export function startAhead(deps: PushDeps, work: WakeSignal, signal: AbortSignal): Promise<void> {
  const failed = (error: unknown) => deps.log.warn({ err: error }, 'nothing was decided ahead; the sweep will do so')
  return deps.loops.run({ name: 'ahead', work, signal, withinMs: ROUND_WITHIN_MS, failed }, async () => {
    if ((await listBreakers(deps.db, listNames(deps.providers))).includes('closed')) return LONGEST_REST_MS
    const from = performance.now()
    let most = 0
    await eachHome(deps.db, async (home) => {
      most = Math.max(most, await decideRound(deps, { home, which: 'at once', after: 0, limit: BATCHES_A_ROUND }))
    })
    if (most === BATCHES_A_ROUND) return 0
    // A look takes long when many messages wait: it may take a twentieth of the time.
    await sleep(Math.min(20 * (performance.now() - from), LONGEST_REST_MS), signal)
    return LONGEST_REST_MS
  })
}

type Round = Step & { home: number; which: Undecided }

function decideRound(deps: PushDeps, round: Round, note?: (workIds: number[]) => void): Promise<number> {
  const { home, which } = round
  const change = async (work: Work) => {
    const due = await lockUndecidedWork(work.tx, round, work.now())
    note?.(due.map(({ workId }) => workId))
    const { plan } = await decideDue(work, home, due, { way: NOBODY, isStale: deps.isStale })
    if (plan.later.length > 0) work.announce()
    await carryOutDecisions(work, plan)
    return due.length
  }
  return inLedgersAtHome(deps, { home, isApart: which === 'ahead', readsPeople: true, change })
}
