import type { Tx } from '../../platform/db/connect.ts'
import type { Ground } from '../../platform/work/work.ts'
import { changeAvailability } from '../products/availability.ts'
import { listProductsOf, releaseItems } from './swap-items.queries.ts'
import { endDisputes } from './swap-disputes.queries.ts'
import { endSwaps, lockProposalsWith, type Swap } from './swaps.queries.ts'
import type { CLOSED } from './transitions.ts'
import { publishMoves, type MovedBy, type MovedSwap } from './publish-moves.ts'

export type Closing = MovedBy & {
  reason: string
  /** Why a dispute is opened, or how it was resolved, in somebody's words. */
  note?: string | null
}

type Unexchanged = Exclude<(typeof CLOSED)[number], 'completed'>

/** Ends swaps without an exchange and frees their products; the caller holds swaps and products locked. */
export async function closeSwaps(
  deps: Ground,
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
  await publishMoves(deps, tx, beforeMove(swaps), { to: status }, closing)
}

/** Completes swaps likewise; proposals of others that want one of the products are invalidated. */
export async function completeSwaps(deps: Ground, tx: Tx, swaps: Swap[], closing: Closing): Promise<void> {
  if (swaps.length === 0) return
  const swapIds = swaps.map((swap) => swap.swap_id)
  const { reason, actor, actorId, at } = closing
  await endSwaps(tx, swapIds, { status: 'completed', reason, now: at })
  await endDisputesOf(tx, swaps, 'completed', closing)
  const productIds = await listProductsOf(tx, swapIds)
  await changeAvailability(tx, { productIds, to: 'swapped', actor, actorId, note: 'swap_completed', at })
  await publishMoves(deps, tx, beforeMove(swaps), { to: 'completed' }, closing)
  await closeSwaps(deps, tx, await lockProposalsWith(tx, productIds), 'invalidated', {
    ...closing,
    note: null,
    reason: 'product_swapped',
    actor: 'system',
    actorId: null,
    isTold: () => true,
  })
}

async function endDisputesOf(
  tx: Tx,
  swaps: Swap[],
  status: Unexchanged | 'completed',
  closing: Closing,
): Promise<void> {
  const disputed = swaps.filter((swap) => swap.status === 'disputed').map((swap) => swap.swap_id)
  if (disputed.length === 0) return
  const resolution = status === 'completed' || status === 'cancelled' ? status : 'invalidated'
  const { actor, actorId, note = null, at } = closing
  await endDisputes(tx, disputed, { resolution, note, resolvedBy: actor === 'administrator' ? actorId : null, at })
}

function beforeMove(swaps: Swap[]): MovedSwap[] {
  return swaps.map((swap) => ({ swap, from: swap.status }))
}
