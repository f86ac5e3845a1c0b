import type { Tx } from '../../platform/db/connect.ts'
import type { ActorKind, SwapStatus } from '../../platform/db/marketplace-tables.ts'
import type { AutomaticDeps } from '../../push/messages/automatic.ts'
import { recordStateChanges } from '../history/history.ts'
import { changeAvailability } from '../products/availability.ts'
import { listProductsOf, releaseItems } from './swap-items.queries.ts'
import { endSwaps, lockProposalsWith, type Swap } from './swaps.queries.ts'
import { tellSides } from './tell.ts'

export type Closing = {
  /** Why, in a word; never what somebody wrote. */
  reason: string
  actor: ActorKind
  actorId: number | null
  /** Which of the sides get a push: usually not the one that did it. */
  isTold: (userId: number) => boolean
  at: Date
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
  const productIds = await releaseItems(tx, swapIds)
  await changeAvailability(tx, { productIds, to: 'active', actor, actorId, note: `swap_${status}`, at })
  await recordEnds(tx, swaps, status, closing)
  await tellSides(deps, tx, swaps, status, closing.isTold)
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
  await recordEnds(tx, swaps, 'completed', closing)
  await tellSides(deps, tx, swaps, 'completed', closing.isTold)
  await closeSwaps(deps, tx, await lockProposalsWith(tx, productIds), 'invalidated', {
    ...closing,
    reason: 'product_swapped',
    actor: 'system',
    actorId: null,
    isTold: () => true,
  })
}

function recordEnds(tx: Tx, swaps: Swap[], status: SwapStatus, { reason, actor, actorId, at }: Closing) {
  return recordStateChanges(
    tx,
    swaps.map((swap) => ({
      entity: 'swap',
      entity_id: swap.swap_id,
      user_id: null,
      from_state: swap.status,
      to_state: status,
      actor,
      actor_id: actorId,
      note: reason,
      at,
    })),
  )
}
