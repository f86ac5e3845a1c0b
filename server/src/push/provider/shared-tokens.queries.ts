import { sql } from 'kysely'
import type { Tx } from '../../platform/db/connect.ts'

export type SharedToken = { sealed: Buffer; signed_at: Date }

/** Only this process signs that token until the end of the transaction. Undefined: nobody has signed it yet. */
export async function lockSharedToken(tx: Tx, name: string): Promise<SharedToken | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`token:${name}`}, 0))`.execute(tx)
  const token = tx.selectFrom('provider_tokens').select(['sealed', 'signed_at']).where('name', '=', name)
  return token.executeTakeFirst()
}

export async function storeSharedToken(tx: Tx, name: string, { sealed, signed_at }: SharedToken): Promise<void> {
  await tx
    .insertInto('provider_tokens')
    .values({ name, sealed, signed_at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ sealed, signed_at }))
    .execute()
}
