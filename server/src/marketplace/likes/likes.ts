import type { Db, Tx } from '../../platform/db/connect.ts'
import { errors, existing } from '../../platform/shared/errors.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import { publish } from '../events/publish.ts'
import {
  deleteLike,
  findLikeable,
  findLikeCount,
  hasLike,
  hasMatch,
  insertLike,
  insertMatch,
  likesAnyProduct,
  lockPair,
  type Pair,
} from './likes.queries.ts'

/** Likes a product. A match is told to the owner once for a pair (decision D). Liking twice is harmless. 404 across
 * a block, 422 on one's own. */
export async function likeProduct(work: Work, { productId }: { productId: number }) {
  const { tx } = work
  const userId = callerId(work)
  const ownerId = existing(await findLikeable(tx, { userId, productId }), 'This product')
  if (ownerId === userId) throw errors.validation({ product_id: ['must not be your own'] })
  const pair = toPair(userId, ownerId)
  // If two like each other at the same moment, the second one sees the first.
  await lockPair(tx, pair)
  const isNew = !(await hasLike(tx, { userId, productId }))
  const now = work.now()
  const matched =
    isNew && (await likesAnyProduct(tx, { userId: ownerId, ownerId: userId })) && (await insertMatch(tx, pair, now))
  if (matched) await publish(work, [{ name: 'match', facts: { productId, userId }, by: userId, recipients: [ownerId] }])
  // It comes last, because it locks the product's like count, for which others who like it wait.
  if (isNew) await insertLike(tx, { user_id: userId, product_id: productId, created_at: now })
  return { productId, matched, likes: await findLikeCount(tx, productId) }
}

/** A match stays one. Safe to repeat. */
export async function unlikeProduct(work: Work, { productId }: { productId: number }): Promise<{ productId: number }> {
  await deleteLike(work.tx, { userId: callerId(work), productId })
  return { productId }
}

export function areMatched(db: Db | Tx, userId: number, otherId: number): Promise<boolean> {
  return hasMatch(db, toPair(userId, otherId))
}

function toPair(userId: number, otherId: number): Pair {
  return { first: Math.min(userId, otherId), second: Math.max(userId, otherId) }
}
