import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'

/** Two people, the one with the lower id first. */
export type Pair = { first: number; second: number }

/** Whose a product is that may be liked: active, neither deleted nor hidden. */
export async function findLikeable(db: Db | Tx, productId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('products')
    .select('user_id')
    .where('product_id', '=', productId)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .where('hidden_at', 'is', null)
    .executeTakeFirst()
  return row?.user_id
}

/** Until the transaction ends, nobody else looks whether these two like each other's products. */
export async function lockPair(tx: Tx, { first, second }: Pair): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`match:${first}:${second}`}, 0))`.execute(tx)
}

/** Stores a like; false when it is there already. */
export async function insertLike(
  tx: Tx,
  like: { user_id: number; product_id: number; created_at: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('likes')
    .values(like)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function deleteLike(tx: Tx, like: { userId: number; productId: number }): Promise<void> {
  await tx.deleteFrom('likes').where('user_id', '=', like.userId).where('product_id', '=', like.productId).execute()
}

/** True when somebody likes a product of another that may be liked. */
export async function likesProductOf(tx: Tx, { userId, ownerId }: { userId: number; ownerId: number }) {
  const { rows } = await sql`
    select 1 from likes l join products p using (product_id)
    where l.user_id = ${userId} and p.user_id = ${ownerId} and p.status = 'active' and p.deleted_at is null
      and p.hidden_at is null
    limit 1`.execute(tx)
  return rows.length > 0
}

/** Stores a match; false when these two matched before. */
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
    .where('first_user_id', '=', first)
    .where('second_user_id', '=', second)
    .executeTakeFirst()
  return row !== undefined
}
