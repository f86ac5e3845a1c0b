import type { Db, Tx } from '../../db/connect.ts'

/** Stores a session. */
export async function insertSession(
  db: Db | Tx,
  session: { session_id: string; user_id: number; created_at: Date; expires_at: Date },
): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

/** A session of a user with the account behind it; undefined when there is no such session. */
export function findSession(db: Db, sessionId: string, userId: number) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.user_id', 'sessions.user_id')
    .select(['users.user_id', 'username', 'email', 'name', 'role', 'status', 'deleted_at'])
    .select(['session_id', 'expires_at', 'revoked_at'])
    .where('session_id', '=', sessionId)
    .where('sessions.user_id', '=', userId)
    .executeTakeFirst()
}

/** Ends a session that has not ended yet. */
export async function revokeSession(db: Db, sessionId: string, reason: string, at: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: at, revoked_reason: reason })
    .where('session_id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Ends the sessions of a user that have not ended yet. */
export async function revokeSessionsOf(db: Db | Tx, userId: number, reason: string, at: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: at, revoked_reason: reason })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Deletes sessions that ended by time before a moment. */
export async function deleteExpiredSessions(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', before).execute()
}
