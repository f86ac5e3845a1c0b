import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Tables } from '../../platform/tables/schema.ts'

export type Passkey = Selectable<Tables['passkeys']>
export type Purpose = Tables['passkey_challenges']['purpose']

/** The oldest first; an account has few. */
export function findPasskeys(db: Db | Tx, userId: number): Promise<Passkey[]> {
  return db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('passkey_id').execute()
}

export async function hasPasskeys(db: Db | Tx, userId: number): Promise<boolean> {
  const found = await db.selectFrom('passkeys').select('passkey_id').where('user_id', '=', userId).limit(1).execute()
  return found.length > 0
}

/** Undefined when any account has this credential already. */
export function insertPasskey(tx: Tx, passkey: Insertable<Tables['passkeys']>): Promise<Passkey | undefined> {
  return tx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst()
}

type Which = { userId: number; passkeyId: number }

export function renamePasskey(
  tx: Tx,
  { userId, passkeyId, name }: Which & { name: string },
): Promise<Passkey | undefined> {
  return tx
    .updateTable('passkeys')
    .set({ name })
    .where((on) => on.and({ passkey_id: passkeyId, user_id: userId }))
    .returningAll()
    .executeTakeFirst()
}

export function deletePasskey(tx: Tx, { userId, passkeyId }: Which): Promise<Passkey | undefined> {
  return tx
    .deleteFrom('passkeys')
    .where((on) => on.and({ passkey_id: passkeyId, user_id: userId }))
    .returningAll()
    .executeTakeFirst()
}

export async function deleteUserPasskeys(tx: Tx, userId: number): Promise<boolean> {
  await tx.deleteFrom('passkey_challenges').where('user_id', '=', userId).execute()
  const deleted = await tx.deleteFrom('passkeys').where('user_id', '=', userId).executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** False when the count has not increased, or the passkey was removed. 0 after 0 is allowed: it counts nothing. */
export async function updateCount(
  tx: Tx,
  { passkeyId, count, at }: { passkeyId: number; count: number; at: Date },
): Promise<boolean> {
  const updated = await tx
    .updateTable('passkeys')
    .set({ sign_count: count, last_used_at: at })
    .where('passkey_id', '=', passkeyId)
    .where((on) => on.or([on('sign_count', '<', count), on.and([on('sign_count', '=', 0), on.val(count === 0)])]))
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

export async function putChallenge(tx: Tx, challenge: Insertable<Tables['passkey_challenges']>): Promise<void> {
  const { challenge_hash, expires_at } = challenge
  await tx
    .insertInto('passkey_challenges')
    .values(challenge)
    .onConflict((conflict) => conflict.columns(['user_id', 'purpose']).doUpdateSet({ challenge_hash, expires_at }))
    .execute()
}

/** Reads and deletes it, so that it is valid once. Undefined when it has expired or was never made. */
export async function takeChallenge(
  db: Db,
  { userId, purpose, now }: { userId: number; purpose: Purpose; now: Date },
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ challenge_hash: Buffer; is_open: boolean }>`
    delete from passkey_challenges where user_id = ${userId} and purpose = ${purpose}
    returning challenge_hash, expires_at > ${now} as is_open`.execute(db)
  return rows[0]?.is_open === true ? rows[0].challenge_hash : undefined
}
