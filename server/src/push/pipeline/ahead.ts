import type { PushDeps } from '../deps.ts'
import { USERS_PER_BATCH } from '../ledger/ledger.queries.ts'
import { carryOutDecisions, inLedgers } from '../ledger/plan.ts'
import { countWaitingCopies, lockUndecidedWork, type Undecided } from '../ledger/work.queries.ts'
import { listBreakers } from '../provider/provider-state.queries.ts'
import { decideDue } from './claim.ts'
import type { SendingWay } from './decide.ts'

const BATCHES_A_ROUND = 500
const AHEAD_SECONDS = 60
// Where no pace is set.
const RATE = 600

/** Nobody sends, so all copies wait. */
const NOBODY: SendingWay = { provider: '', paused: new Set() }

/**
 * While a provider takes no pushes it decides transactional messages, so that inboxes and badges have them; while one
 * does not answer, of campaigns what a minute would send (decision B25). A halt pauses campaigns.
 */
export async function decideAhead(deps: PushDeps): Promise<void> {
  const breakers = await listBreakers(deps.db)
  if (breakers.every((breaker) => breaker === 'closed')) return
  while ((await decideRound(deps, 'at once', BATCHES_A_ROUND)) === BATCHES_A_ROUND);
  if (!breakers.some((breaker) => breaker === 'open' || breaker === 'half_open')) return
  const most = (deps.config.PUSH_RATE_PER_SECOND || RATE) * AHEAD_SECONDS
  const room = Math.floor((most - (await countWaitingCopies(deps.db, most))) / USERS_PER_BATCH)
  for (let left = room; left > 0; left -= BATCHES_A_ROUND) {
    const batches = Math.min(left, BATCHES_A_ROUND)
    if ((await decideRound(deps, 'ahead', batches)) < batches) return
  }
}

function decideRound(deps: PushDeps, which: Undecided, batches: number): Promise<number> {
  return inLedgers(deps, async (work) => {
    const due = await lockUndecidedWork(work.tx, which, batches, work.now())
    const { plan } = await decideDue(work, due, { way: NOBODY, isStale: deps.isStale })
    await carryOutDecisions(work, plan)
    return due.length
  })
}
