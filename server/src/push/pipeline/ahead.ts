import type { PushDeps } from '../deps.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { workIn, type Ground } from '../../platform/work/work.ts'
import { USERS_PER_BATCH } from '../ledger/ledger.queries.ts'
import { carryOutDecisions, planFor } from '../ledger/plan.ts'
import { countWaitingCopies, lockUndecidedWork, type Undecided } from '../ledger/work.queries.ts'
import { listBreakers } from '../provider/provider-state.queries.ts'
import { prepare, sleepUntilDue } from './claim.ts'
import type { SendingWay } from './decide.ts'

const BATCHES_A_ROUND = 500
const AHEAD_SECONDS = 60
// Where no pace is set.
const RATE = 600

/** Nobody sends, so all copies wait. */
const NOBODY: SendingWay = { provider: '', paused: new Set() }

type AheadDeps = Ground & Pick<PushDeps, 'db' | 'isStale'>

/**
 * While a provider takes no pushes it decides transactional messages, so that inboxes and badges have them; while one
 * does not answer, of campaigns what a minute would send (decision B25). A halt pauses campaigns.
 */
export async function decideAhead(deps: AheadDeps): Promise<void> {
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

async function decideRound(deps: AheadDeps, which: Undecided, batches: number): Promise<number> {
  const now = fromNow(deps.clock)
  return inPlannedTransaction(deps.db, 'by index', async (tx) => {
    const due = await lockUndecidedWork(tx, which, batches, now)
    const plan = await planFor(
      tx,
      due.map(({ batchId }) => batchId),
      now,
    )
    plan.done.push(...due)
    await prepare(deps, tx, plan, { due, way: NOBODY })
    await carryOutDecisions(workIn(deps, tx), plan, due[0]?.workId ?? 0)
    await sleepUntilDue(tx, plan)
    return due.length
  })
}
