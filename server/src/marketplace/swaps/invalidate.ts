import type { Tx } from '../../platform/db/connect.ts'
import type { ActorKind } from '../../platform/tables/marketplace-tables.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import type { AutomaticDeps } from '../../push/messages/automatic.ts'
import { closeSwaps } from './close.ts'
import { forgetInChats } from '../chat/chat.ts'
import { forgetDisputesOf } from './swap-disputes.queries.ts'
import { lockProducts } from '../products/lock.ts'
import { forgetNotesOf, listProductsOfSwaps, lockOpenSwaps } from './swaps.queries.ts'

export type Invalidation = {
  /** All open swaps of these people, or with these products. */
  userIds?: readonly number[]
  productIds?: readonly number[]
  /** A word such as `product_removed` or `user_suspended`, never what somebody wrote. */
  reason: string
  actor: ActorKind
  actorId: number | null
}

/**
 * Closes the open swaps of people or with products, as part of the transaction that takes them away: with events, the
 * products they held made available again, and a push to the sides that did not do it (decisions C9, D; spec: swap
 * status change). Gives how many it closed. Call it before the transaction changes any product: products are locked
 * first, all at once in the order of their ids, then swaps, so that no two transactions wait for each other in a
 * circle.
 */
export async function invalidateSwaps(
  deps: AutomaticDeps,
  tx: Tx,
  { userIds = [], productIds = [], reason, actor, actorId }: Invalidation,
): Promise<number> {
  if (userIds.length + productIds.length === 0) return 0
  await lockForInvalidation(tx, { userIds, productIds })
  const swaps = await lockOpenSwaps(tx, { userIds, productIds })
  const doers = new Set([...userIds, ...(actorId === null ? [] : [actorId])])
  await closeSwaps(deps, tx, swaps, 'invalidated', {
    reason,
    actor,
    actorId,
    isTold: (userId) => !doers.has(userId),
    at: fromNow(deps.clock),
  })
  return swaps.length
}

/** Locks the products that `invalidateSwaps` would, for a caller who has to look at one of them first. */
export async function lockForInvalidation(
  tx: Tx,
  { userIds = [], productIds = [] }: Pick<Invalidation, 'userIds' | 'productIds'>,
): Promise<void> {
  await lockProducts(tx, await listProductsOfSwaps(tx, { userIds, productIds }))
}

/** Removes what people wrote into swaps, as part of the transaction that purges them (decision C7). */
export async function forgetInSwaps(tx: Tx, userIds: number[]): Promise<void> {
  if (userIds.length === 0) return
  await forgetNotesOf(tx, userIds)
  await forgetDisputesOf(tx, userIds)
  await forgetInChats(tx, userIds)
}
