import type { Tx } from '../../platform/db/connect.ts'
import type { Work } from '../../platform/work/work.ts'
import { forgetInChats } from '../chat/chat.ts'
import { lockProducts } from '../products/lock.ts'
import { closeSwaps } from './close.ts'
import type { Cause } from './publish-moves.ts'
import { forgetUserDisputes, forgetUserNotes, listProductsOfSwaps, lockOpenSwaps } from './swaps.queries.ts'

export type Invalidation = { userIds?: readonly number[]; productIds?: readonly number[] } & Pick<Cause, 'actor'> & {
    reason: string
  }

/** Closes the open swaps of people or with products, frees their products and tells the other sides (decisions C9,
 * D; spec: swap status change). Call it before the transaction changes any product: it locks products, then swaps,
 * by id. */
export async function invalidateSwaps(
  work: Work,
  { userIds = [], productIds = [], actor, reason }: Invalidation,
): Promise<number> {
  if (userIds.length + productIds.length === 0) return 0
  await lockForInvalidation(work.tx, { userIds, productIds })
  const swaps = await lockOpenSwaps(work.tx, { userIds, productIds })
  await closeSwaps(work, { swaps, to: 'invalidated', actor, reason, silent: userIds })
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
  await forgetUserNotes(tx, userIds)
  await forgetUserDisputes(tx, userIds)
  await forgetInChats(tx, userIds)
}
