import { sql, type Insertable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { olderThan, toMicros } from '../../platform/db/clock.ts'
import { joinWithAnd } from '../../platform/lists/list-rows.ts'
import type { PersonRow } from '../../platform/people/person.ts'
import type { Tables } from '../../platform/tables/schema.ts'

export async function insertBlock(tx: Tx, block: Insertable<Tables['user_blocks']>): Promise<void> {
  await tx
    .insertInto('user_blocks')
    .values(block)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteBlock(
  tx: Tx,
  { blockerId, blockedId }: { blockerId: number; blockedId: number },
): Promise<void> {
  await tx.deleteFrom('user_blocks').where('blocker_id', '=', blockerId).where('blocked_id', '=', blockedId).execute()
}

export type BlockedRow = PersonRow & {
  created_at: Date
  /** `created_at` in microseconds. */
  at: number
}

/** Newest first; deleted accounts are left out. */
export async function listBlocks(
  db: Db,
  { userId, after, limit }: { userId: number; after: [at: number, userId: number] | undefined; limit: number },
): Promise<BlockedRow[]> {
  const conditions = [sql`b.blocker_id = ${userId}`, olderThan(sql`b.created_at`, sql`b.blocked_id`, after)]
  const { rows } = await sql<BlockedRow>`
    select u.user_id, u.username, u.name, u.avatar_url, u.city, b.created_at, ${toMicros(sql`b.created_at`)} as at
    from user_blocks b join users u on u.user_id = b.blocked_id and u.deleted_at is null
    where ${joinWithAnd(conditions)}
    order by b.created_at desc, b.blocked_id desc limit ${limit}`.execute(db)
  return rows
}
