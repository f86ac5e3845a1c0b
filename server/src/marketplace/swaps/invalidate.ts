import type { Tx } from '../../platform/db/connect.ts'
import type { ActorKind } from '../../platform/tables/marketplace-tables.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import type { Ground } from '../../platform/work/work.ts'
import { closeSwaps } from './close.ts'
import { forgetInChats } from '../chat/chat.ts'
import { forgetDisputesOf } from './swap-disputes.queries.ts'
import { lockProducts } from '../products/lock.ts'
import { forgetNotesOf, listProductsOfSwaps, lockOpenSwaps } from './swaps.queries.ts'

export type Invalidation = {
  userIds?: readonly number[]
  productIds?: readonly number[]
  /** A word such as `product_removed`, never a person's text. */
  reason: string
  actor: ActorKind
  actorId: number | null
}

/** Closes the open swaps of people or with products, frees their products and tells the other sides (decisions C9,
 * D; spec: swap status change). Call it before the transaction changes any product: it locks products, then swaps,
 * by id. */
export async function invalidateSwaps(
  deps: Ground,
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

/** A caller calls it if it has to look at one of the products first. */
export async function lockForInvalidation(
  tx: Tx,
  { userIds = [], productIds = [] }: Pick<Invalidation, 'userIds' | 'productIds'>,
): Promise<void> {
  await lockProducts(tx, await listProductsOfSwaps(tx, { userIds, productIds }))
}

/** Removes what people who are purged wrote into swaps (decision C7). */
export async function forgetInSwaps(tx: Tx, userIds: number[]): Promise<void> {
  if (userIds.length === 0) return
  await forgetNotesOf(tx, userIds)
  await forgetDisputesOf(tx, userIds)
  await forgetInChats(tx, userIds)
}
