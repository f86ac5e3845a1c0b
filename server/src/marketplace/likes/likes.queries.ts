import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { notBlocked } from '../../identity/blocks/hidden.queries.ts'

/** The lower id first. */
export type Pair = { first: number; second: number }

/** The owner of a product that is listed and not across a block. */
export async function findLikeable(
  db: Db | Tx,
  { userId, productId }: { userId: number; productId: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ user_id: number }>`
    select l.user_id from listings l
    where l.product_id = ${productId} and l.is_listed and ${notBlocked(userId, sql`l.user_id`)}`.execute(db)
  return rows[0]?.user_id
}

export async function hasLike(tx: Tx, { userId, productId }: { userId: number; productId: number }): Promise<boolean> {
  const { rows } = await sql`select from likes where user_id = ${userId} and product_id = ${productId}`.execute(tx)
  return rows.length > 0
}

export async function findLikeCount(tx: Tx, productId: number): Promise<number> {
  const { rows } = await sql<{ like_count: number }>`
    select like_count from listings where product_id = ${productId}`.execute(tx)
  return rows[0]?.like_count ?? 0
}

/** Nobody else checks these two for a match until the transaction ends. */
export async function lockPair(tx: Tx, { first, second }: Pair): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`match:${first}:${second}`}, 0))`.execute(tx)
}

export async function insertLike(
  tx: Tx,
  like: { user_id: number; product_id: number; created_at: Date },
): Promise<void> {
  await tx
    .insertInto('likes')
    .values(like)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteLike(tx: Tx, like: { userId: number; productId: number }): Promise<void> {
  await tx.deleteFrom('likes').where('user_id', '=', like.userId).where('product_id', '=', like.productId).execute()
}

/** One statement locks the like counts in one order, so that two purges do not wait in a circle. */
export async function deleteUserLikes(tx: Tx, userIds: number[]): Promise<void> {
  await sql`delete from likes where user_id = any(${userIds})`.execute(tx)
}

export async function likesAnyProduct(tx: Tx, { userId, ownerId }: { userId: number; ownerId: number }) {
  const { rows } = await sql`
    select from likes k join listings l using (product_id)
    where k.user_id = ${userId} and l.user_id = ${ownerId} and l.is_listed
    limit 1`.execute(tx)
  return rows.length > 0
}

/** False when these two matched before. */
export async function insertMatch(tx: Tx, { first, second }: Pair, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('matches')
    .values({ first_user_id: first, second_user_id: second, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function hasMatch(db: Db | Tx, { first, second }: Pair): Promise<boolean> {
  const row = await db
    .selectFrom('matches')
    .select('created_at')
    .where((on) => on.and({ first_user_id: first, second_user_id: second }))
    .executeTakeFirst()
  return row !== undefined
}
