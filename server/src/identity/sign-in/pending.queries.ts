import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Tables } from '../../platform/tables/schema.ts'

type Unexpired = { tokenHash: Buffer; now: Date }

export type Pending = Pick<Selectable<Tables['pending_sign_ins']>, 'user_id' | 'password_mark' | 'for_panel'>

export async function insertPending(db: Db, pending: Insertable<Tables['pending_sign_ins']>): Promise<void> {
  await db.insertInto('pending_sign_ins').values(pending).execute()
}

export function findPending(db: Db, { tokenHash, now }: Unexpired): Promise<Pending | undefined> {
  return db
    .selectFrom('pending_sign_ins')
    .select(['user_id', 'password_mark', 'for_panel'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Replaces an earlier challenge; false when the sign-in is over. */
export async function setChallenge(
  db: Db,
  { tokenHash, challengeHash }: { tokenHash: Buffer; challengeHash: Buffer },
): Promise<boolean> {
  const set = await db
    .updateTable('pending_sign_ins')
    .set({ challenge_hash: challengeHash })
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return set.numUpdatedRows > 0n
}

/** Reads and deletes the challenge, so that it is valid once. Undefined when the sign-in is over. */
export async function takeChallengeByToken(
  db: Db,
  { tokenHash, now }: Unexpired,
): Promise<(Pending & { challenge_hash: Buffer | null }) | undefined> {
  const { rows } = await sql<Pending & { challenge_hash: Buffer | null }>`
    update pending_sign_ins p set challenge_hash = null
    from (select * from pending_sign_ins where token_hash = ${tokenHash} and expires_at > ${now} for update) before
    where p.token_hash = before.token_hash
    returning p.user_id, p.password_mark, p.for_panel, before.challenge_hash`.execute(db)
  return rows[0]
}

/** False when another call was first. */
export async function takePending(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const taken = await tx.deleteFrom('pending_sign_ins').where('token_hash', '=', tokenHash).executeTakeFirst()
  return taken.numDeletedRows > 0n
}
