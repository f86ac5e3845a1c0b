import type { Tx } from '../../platform/db/connect.ts'
import type { SwapStatus } from '../../platform/tables/marketplace-tables.ts'
import type { AutomaticDeps } from '../../push/messages/automatic.ts'
import { changeAvailability } from '../products/availability.ts'
import { listProductsOf, releaseItems } from './swap-items.queries.ts'
import { endDisputes } from './swap-disputes.queries.ts'
import { endSwaps, lockProposalsWith, type Swap } from './swaps.queries.ts'
import { publishMoves, type MovedBy, type MovedSwap } from './publish-moves.ts'

/** Who ended swaps, and why. */
export type Closing = MovedBy & {
  reason: string
  /** What somebody wrote about it: why a dispute is opened, or how it was resolved. */
  note?: string | null
}

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
  await endDisputesOf(tx, swaps, status, closing)
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
  await endDisputesOf(tx, swaps, 'completed', closing)
  const productIds = await listProductsOf(tx, swapIds)
  await changeAvailability(tx, { productIds, to: 'swapped', actor, actorId, note: 'swap_completed', at })
  await publishMoves(deps, tx, asTheyWere(swaps), { to: 'completed' }, closing)
  await closeSwaps(deps, tx, await lockProposalsWith(tx, productIds), 'invalidated', {
    ...closing,
    note: null,
    reason: 'product_swapped',
    actor: 'system',
    actorId: null,
    isTold: () => true,
  })
}

/** Only a disputed swap is completed, cancelled or invalidated while it has an open dispute. */
async function endDisputesOf(tx: Tx, swaps: Swap[], status: SwapStatus, closing: Closing): Promise<void> {
  const disputed = swaps.filter((swap) => swap.status === 'disputed').map((swap) => swap.swap_id)
  if (disputed.length === 0) return
  const resolution = status === 'completed' || status === 'cancelled' ? status : 'invalidated'
  const { actor, actorId, note = null, at } = closing
  await endDisputes(tx, disputed, { resolution, note, resolvedBy: actor === 'administrator' ? actorId : null, at })
}

function asTheyWere(swaps: Swap[]): MovedSwap[] {
  return swaps.map((swap) => ({ swap, from: swap.status }))
}
