import type { Deps } from '../../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { AutomaticDeps } from '../../push/messages/automatic.ts'
import { publish } from '../events/publish.ts'
import {
  deleteLike,
  findLikeable,
  hasMatch,
  insertLike,
  insertMatch,
  likesProductOf,
  lockPair,
  type Pair,
} from './likes.queries.ts'

type Like = { userId: number; productId: number }

/**
 * Likes a product. When its owner likes one of the caller's, the two match, and the owner gets a "swap match" push: once
 * for a pair, whatever they like later (decision D). Gives whether they matched just now. Liking twice is harmless. 404
 * when there is no such product to be seen; 422 on one's own.
 */
export async function likeProduct(deps: AutomaticDeps & Pick<Deps, 'db'>, tx: Tx, { userId, productId }: Like) {
  const ownerId = await findLikeable(tx, productId)
  if (ownerId === undefined) throw errors.notFound('This product')
  if (ownerId === userId) throw errors.validation({ product_id: ['must not be your own'] })
  const pair = pairOf(userId, ownerId)
  // Of two who like each other at the same moment, the second one sees the first.
  await lockPair(tx, pair)
  const now = fromNow(deps.clock)
  const isNew = await insertLike(tx, { user_id: userId, product_id: productId, created_at: now })
  const isMatch =
    isNew && (await likesProductOf(tx, { userId: ownerId, ownerId: userId })) && (await insertMatch(tx, pair, now))
  if (isMatch) await publish(deps, tx, [{ name: 'match', facts: {}, by: userId, told: [ownerId] }])
  return { matched: isMatch }
}

/** Takes a like back; a match stays one. */
export async function unlikeProduct(tx: Tx, like: Like): Promise<void> {
  await deleteLike(tx, like)
}

/** True when two people liked each other's products. */
export function areMatched(db: Db | Tx, userId: number, otherId: number): Promise<boolean> {
  return hasMatch(db, pairOf(userId, otherId))
}

function pairOf(userId: number, otherId: number): Pair {
  return { first: Math.min(userId, otherId), second: Math.max(userId, otherId) }
}
