import type { Db, Tx } from '../../platform/db/connect.ts'
import type { IdentityDeps } from '../deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { hashOfToken } from '../../platform/secrets/encryption.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { TokenPurpose } from '../../platform/tables/account-tables.ts'
import { deleteToken, deleteTokensOf, findToken } from './tokens.queries.ts'

/** The time begins when the mail is sent. */
export const TOKEN_MS = 30 * 60_000

/** 422 on `token` when it is unknown, used or expired. */
export async function checkToken(
  { clock }: Pick<IdentityDeps, 'clock'>,
  db: Db | Tx,
  token: string,
  purpose: TokenPurpose,
): Promise<{ userId: number; address: string }> {
  const found = await findToken(db, hashOfToken(token), purpose, fromNow(clock))
  if (found === undefined) throw deadToken()
  return { userId: found.user_id, address: found.address }
}

/** 422 as above; of two concurrent callers one gets it. */
export async function useToken(
  { clock }: Pick<IdentityDeps, 'clock'>,
  tx: Tx,
  token: string,
  purpose: TokenPurpose,
): Promise<{ userId: number; address: string }> {
  const found = await deleteToken(tx, hashOfToken(token), purpose, fromNow(clock))
  if (found === undefined) throw deadToken()
  return { userId: found.user_id, address: found.address }
}

export async function endTokensOf(tx: Tx, userId: number, purpose?: TokenPurpose): Promise<void> {
  await deleteTokensOf(tx, userId, purpose)
}

export function deadToken() {
  return errors.validation({ token: ['does not work any more; ask for another mail'] })
}
