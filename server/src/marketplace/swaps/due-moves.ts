import { inTransaction } from '../../platform/db/transaction.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { closeSwaps, completeSwaps, type Closing } from './close.ts'
import { factsOf } from './move.ts'
import type { SwapDeps } from './propose.ts'
import { lockProducts } from '../products/lock.ts'
import { listProductsOf } from './swap-items.queries.ts'
import { listHalfConfirmed, lockAccepted, lockExpired } from './swaps.queries.ts'
import { afterMove } from './transitions.ts'

const SWAPS_A_ROUND = 200
const DAY_MS = 24 * 3_600_000
const CONFIRM_WITHIN_MS = 14 * DAY_MS

/** Safe to run twice at once (decision D). */
export async function moveDueSwaps(deps: SwapDeps): Promise<void> {
  await expireOldProposals(deps)
  await completeConfirmedSwaps(deps)
}

/** Proposals expire seven days after they were made. */
export async function expireOldProposals(deps: SwapDeps): Promise<void> {
  while ((await expireProposals(deps)) === SWAPS_A_ROUND);
}

/** An accepted swap that one side confirmed is completed 14 days later. */
export async function completeConfirmedSwaps(deps: SwapDeps): Promise<void> {
  while ((await completeHalfConfirmed(deps)) === SWAPS_A_ROUND);
}

async function expireProposals(deps: SwapDeps): Promise<number> {
  return inTransaction(deps.db, async (tx) => {
    const swaps = await lockExpired(tx, fromNow(deps.clock), SWAPS_A_ROUND)
    await closeSwaps(deps, tx, swaps, 'expired', bySystem(deps, 'expired'))
    return swaps.length
  })
}

async function completeHalfConfirmed(deps: SwapDeps): Promise<number> {
  const swapIds = await listHalfConfirmed(deps.db, fromNow(deps.clock, -CONFIRM_WITHIN_MS), SWAPS_A_ROUND)
  if (swapIds.length === 0) return 0
  return inTransaction(deps.db, async (tx) => {
    await lockProducts(tx, await listProductsOf(tx, swapIds))
    const accepted = await lockAccepted(tx, swapIds)
    const due = accepted.filter((swap) => afterMove(factsOf(swap), 'auto_complete', 'system') !== undefined)
    await completeSwaps(deps, tx, due, bySystem(deps, 'confirmed_by_one'))
    return due.length
  })
}

function bySystem({ clock }: SwapDeps, reason: string): Closing {
  return { reason, actor: 'system', actorId: null, isTold: () => true, at: fromNow(clock) }
}
