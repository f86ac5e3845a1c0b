import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Tables } from '../../platform/tables/tables.ts'

type Pending = Pick<Selectable<Tables['pending_sign_ins']>, 'user_id' | 'password_mark'>

export async function insertPending(tx: Tx, pending: Insertable<Tables['pending_sign_ins']>): Promise<void> {
  await tx.insertInto('pending_sign_ins').values(pending).execute()
}

export function findPending(db: Db, tokenHash: Buffer, now: Date): Promise<Pending | undefined> {
  return db
    .selectFrom('pending_sign_ins')
    .select(['user_id', 'password_mark'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** False when another call was first. */
export async function takePending(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const taken = await tx.deleteFrom('pending_sign_ins').where('token_hash', '=', tokenHash).executeTakeFirst()
  return taken.numDeletedRows > 0n
}

export async function deleteExpiredPending(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('pending_sign_ins').where('expires_at', '<=', now).execute()
}
