import type { Insertable } from 'kysely'
import type { Tx } from '../../platform/db/connect.ts'
import type { MarketplaceTables } from '../../platform/tables/marketplace-tables.ts'

/** Stores a chat message of a swap; returns its id. */
export async function insertSwapMessage(
  tx: Tx,
  message: Insertable<MarketplaceTables['swap_messages']>,
): Promise<number> {
  const row = await tx
    .insertInto('swap_messages')
    .values(message)
    .returning('swap_message_id')
    .executeTakeFirstOrThrow()
  return row.swap_message_id
}
