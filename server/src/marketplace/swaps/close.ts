import type { Tx } from '../../platform/db/connect.ts'
import type { SwapStatus } from '../../platform/tables/marketplace-tables.ts'
import type { AutomaticDeps } from '../../push/messages/automatic.ts'
import { changeAvailability } from '../products/availability.ts'
import { listProductsOf, releaseItems } from './swap-items.queries.ts'
import { endSwaps, lockProposalsWith, type Swap } from './swaps.queries.ts'
import { publishMoves, type MovedBy, type MovedSwap } from './publish-moves.ts'

/** Who ended swaps, and why. */
export type Closing = MovedBy & { reason: string }

type Unexchanged = Exclude<SwapStatus, 'pending' | 'countered' | 'accepted' | 'completed' | 'disputed'>

/**
 * Ends swaps without an exchange, as part of a transaction that holds them and their products locked: with events, what
 * they held available again, and a push to those who are told.
 */
export async function closeSwaps(
  deps: AutomaticDeps,
  tx: Tx,
  swaps: Swap[],
  status: Unexchanged,
  closing: Closing,
): Promise<void> {
  if (swaps.length === 0) return
  const swapIds = swaps.map((swap) => swap.swap_id)
  const { reason, actor, actorId, at } = closing
  await endSwaps(tx, swapIds, { status, reason, now: at })
  const productIds = await releaseItems(tx, swapIds)
  await changeAvailability(tx, { productIds, to: 'active', actor, actorId, note: `swap_${status}`, at })
  await publishMoves(deps, tx, asTheyWere(swaps), { to: status }, closing)
}

/**
 * Completes swaps, in the same way: their products are swapped, and the proposals of others that want one of these are
 * invalidated.
 */
export async function completeSwaps(deps: AutomaticDeps, tx: Tx, swaps: Swap[], closing: Closing): Promise<void> {
  if (swaps.length === 0) return
  const swapIds = swaps.map((swap) => swap.swap_id)
  const { reason, actor, actorId, at } = closing
  await endSwaps(tx, swapIds, { status: 'completed', reason, now: at })
  const productIds = await listProductsOf(tx, swapIds)
  await changeAvailability(tx, { productIds, to: 'swapped', actor, actorId, note: 'swap_completed', at })
  await publishMoves(deps, tx, asTheyWere(swaps), { to: 'completed' }, closing)
  await closeSwaps(deps, tx, await lockProposalsWith(tx, productIds), 'invalidated', {
    ...closing,
    reason: 'product_swapped',
    actor: 'system',
    actorId: null,
    isTold: () => true,
  })
}

function asTheyWere(swaps: Swap[]): MovedSwap[] {
  return swaps.map((swap) => ({ swap, from: swap.status }))
}
