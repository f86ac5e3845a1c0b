import { sql } from 'kysely'
import { asRows } from '../../platform/db/arrays.ts'
import type { Db, Runner } from '../../platform/db/connect.ts'
import type { SkipReason } from '../../platform/tables/tables.ts'
import type { DeletedUpTo, DeleteStep } from './old-messages.queries.ts'
import { blockSql } from './home.queries.ts'

export type Skip = { messageId: number; userId: number; reason: SkipReason }

const BLOCK = sql.raw(blockSql('user_id'))

/** They are of people of the home. */
export async function insertSkips(tx: Runner, home: number, skips: readonly Skip[], now: Date): Promise<void> {
  if (skips.length === 0) return
  await sql`
    insert into skips (home, block, message_id, reason, user_ids, created_at)
    select ${home}, ${BLOCK}, message_id, reason, array_agg(user_id order by user_id), ${now}::timestamptz
    from ${asRows(skips, { userId: 'bigint', messageId: 'bigint', reason: 'text' })}
      as skipped (user_id, message_id, reason)
    group by ${BLOCK}, message_id, reason`.execute(tx)
}

/** The oldest first, by time: their ids are not in its order. */
export async function deleteSkips(db: Db, home: number, { after, before, limit }: DeleteStep): Promise<DeletedUpTo> {
  const { numAffectedRows = 0n } = await sql`
    delete from skips where home = ${home} and ctid = any(array(
      select ctid from skips where home = ${home} and created_at < ${before} order by created_at
        limit ${limit}))`.execute(db)
  return numAffectedRows < limit ? null : after
}
