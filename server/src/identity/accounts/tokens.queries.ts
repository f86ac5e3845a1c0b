import type { Insertable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Tables } from '../../platform/tables/schema.ts'
import type { TokenPurpose } from '../../platform/tables/account-tables.ts'

export type NewToken = Insertable<Tables['mail_tokens']>
export type TokenOwner = { user_id: number; address: string }

export async function insertTokens(tx: Tx, tokens: NewToken[]): Promise<void> {
  if (tokens.length > 0) await tx.insertInto('mail_tokens').values(tokens).execute()
}

export function findToken(
  db: Db | Tx,
  { hash, purpose, now }: { hash: Buffer; purpose: TokenPurpose; now: Date },
): Promise<TokenOwner | undefined> {
  return db
    .selectFrom('mail_tokens')
    .select(['user_id', 'address'])
    .where((on) => on.and({ token_hash: hash, purpose }))
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export async function deleteUserTokens(
  tx: Tx,
  { userId, exceptTo }: { userId: number; exceptTo?: string | undefined },
): Promise<void> {
  const ofUser = tx.deleteFrom('mail_tokens').where('user_id', '=', userId)
  await (exceptTo === undefined ? ofUser : ofUser.where('address', '<>', exceptTo)).execute()
}
