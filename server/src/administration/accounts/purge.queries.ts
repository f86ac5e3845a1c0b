import { sql } from 'kysely'
import type { Tx } from '../../platform/db/connect.ts'

/** Empties what people wrote in records that others keep: the function `forget_words_of` of the database. */
export async function forgetWords(tx: Tx, userIds: number[]): Promise<void> {
  await sql`select forget_words_of(${userIds}::bigint[])`.execute(tx)
}
