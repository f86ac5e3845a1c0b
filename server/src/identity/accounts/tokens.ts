import type { Db, Tx } from '../../platform/db/connect.ts'
import { hashOfToken } from '../../platform/secrets/encryption.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { TokenPurpose } from '../../platform/tables/account-tables.ts'
import { findToken, type TokenOwner } from './tokens.queries.ts'

/** The time begins when the mail is sent. */
export const TOKEN_MS = 30 * 60_000

/** 422 on `token` when it is unknown, used or expired. */
export async function checkToken(
  db: Db | Tx,
  { token, ...rest }: { token: string; purpose: TokenPurpose; now: Date },
): Promise<TokenOwner> {
  const found = await findToken(db, { hash: hashOfToken(token), ...rest })
  if (found === undefined) throw deadToken()
  return found
}

export function deadToken() {
  return errors.validation({ token: ['does not work any more; ask for another mail'] })
}
