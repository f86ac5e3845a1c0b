import { sql, type Insertable, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
import type { Db, DbPool, Tx } from '../../platform/db/connect.ts'
import { runPrepared } from '../../platform/db/prepared.ts'
import type { Role } from '../../platform/tables/tables.ts'
import type { AccountRow } from '../accounts/accounts.queries.ts'
import type { Tables } from '../../platform/tables/schema.ts'

export async function insertSession(db: Db | Tx, session: Insertable<Tables['sessions']>): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

export type SessionRow = AccountRow & {
  session_id: string
  expires_at: Date
  revoked_at: Date | null
  second_factor_at: Date | null
  deleted_at: Date | null
  /** The session may have been used later than this is stored. */
  seen_at: Date
  opened_at: Date
  created_at: Date
}

const FIND_SESSIONS = `
  select s.session_id, s.expires_at, s.revoked_at, s.second_factor_at, u.user_id, u.username, u.email, u.name, u.role,
    u.status,
    u.deleted_at, u.created_at, s.created_at as opened_at, coalesce(s.last_seen_at, s.created_at) as seen_at
  from unnest($1::uuid[], $2::bigint[]) as asked (session_id, user_id)
  join sessions s on s.session_id = asked.session_id and s.user_id = asked.user_id
  join users u on u.user_id = s.user_id`

/** They are in any order, without missing ones. The statement is prepared, because most requests begin with it. */
export async function findSessions(
  pool: DbPool,
  sessions: { sessionId: string; userId: number }[],
): Promise<SessionRow[]> {
  const values = [sessions.map(({ sessionId }) => sessionId), sessions.map(({ userId }) => userId)]
  return runPrepared<SessionRow>(pool, { name: 'find-sessions', text: FIND_SESSIONS, values })
}

export async function updateSecondFactor(
  tx: Tx,
  { sessionId, hasFactor, now }: { sessionId: string; hasFactor: boolean; now: Date },
): Promise<void> {
  const change = { second_factor_at: hasFactor ? now : null }
  await tx.updateTable('sessions').set(change).where('session_id', '=', sessionId).execute()
}

export async function findSecondFactorAt(db: Db | Tx, sessionId: string): Promise<Date | null> {
  const found = db.selectFrom('sessions').select('second_factor_at').where('session_id', '=', sessionId)
  return (await found.executeTakeFirst())?.second_factor_at ?? null
}

function revoking(db: Db | Tx, { reason, now }: { reason: string; now: Date }) {
  return db.updateTable('sessions').set({ revoked_at: now, revoked_reason: reason }).where('revoked_at', 'is', null)
}

/** All sessions of the user, only `sessionId` if it is open, or all but `exceptFor`. */
export type Ended = { userId: number; sessionId?: string; exceptFor?: string | undefined; reason: string; now: Date }

export async function revokeSessions(tx: Tx, { userId, sessionId, exceptFor, ...why }: Ended): Promise<number> {
  const { numUpdatedRows } = await revoking(tx, why)
    .where('user_id', '=', userId)
    .$if(sessionId !== undefined, (query) =>
      query.where('session_id', '=', sessionId!).where('expires_at', '>', why.now),
    )
    .$if(exceptFor !== undefined, (query) => query.where('session_id', '<>', exceptFor!))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function revokeSessionsOfRoles(
  db: Db | Tx,
  { roles, ...why }: { roles: Role[]; reason: string; now: Date },
): Promise<number> {
  const { numUpdatedRows } = await revoking(db, why)
    .where('user_id', 'in', (users) => users.selectFrom('users').select('user_id').where('role', 'in', roles))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function isKnownSite(db: Db, { userId, mark }: { userId: number; mark: string }): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('session_id')
    .where((on) => on.and({ user_id: userId, site: mark }))
    .limit(1)
    .executeTakeFirst()
  return session !== undefined
}

const OPEN_SESSION = ['session_id', 'device', 'network', 'created_at', 'expires_at'] as const

export type OpenSession = Pick<Selectable<Tables['sessions']>, (typeof OPEN_SESSION)[number]> & { seen_at: Date }

export function findOpenSessions(
  db: Db,
  { userId, now, limit }: { userId: number; now: Date; limit: number },
): Promise<OpenSession[]> {
  return db
    .selectFrom('sessions')
    .select(OPEN_SESSION)
    .select(sql<Date>`coalesce(last_seen_at, created_at)`.as('seen_at'))
    .where('user_id', '=', userId)
    .where(isOpenSession('sessions', now))
    .orderBy('seen_at', 'desc')
    .orderBy('session_id')
    .limit(limit)
    .execute()
}

/** A session (`alias` of its table) that was not ended and has not expired. */
export function isOpenSession(alias: string, now: Date): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  return sql`(${column('revoked_at')} is null and ${column('expires_at')} > ${now}::timestamptz)`
}

/** Leaves out what another process moved less than `restMs` before. A session that has ended stays so. */
export async function updateLastSeen(
  db: Db,
  { seen, restMs, unusedMs }: { seen: { id: string; at: Date }[]; restMs: number; unusedMs: number },
): Promise<void> {
  await sql`
    update sessions s set last_seen_at = seen.at,
      expires_at = least(s.ends_at, seen.at + ${unusedMs}::float8 * interval '1 millisecond')
    from unnest(${seen.map(({ id }) => id)}::uuid[], ${seen.map(({ at }) => at)}::timestamptz[]) as seen (session_id,
      at)
    where s.session_id = seen.session_id and s.revoked_at is null and s.expires_at > seen.at
      and coalesce(s.last_seen_at, s.created_at) <= seen.at - ${restMs}::int * interval '1 millisecond'`.execute(db)
}

/** One that was ended stays while a browser is told by it: the browser is to be forgotten, and not to outlive it. */
export async function deleteExpiredSessions(db: Db, before: Date): Promise<void> {
  await sql`
    delete from sessions s where s.expires_at < ${before} and (s.revoked_at is null or not exists (
      select from staff_browsers b where b.session_id = s.session_id and b.user_id = s.user_id))`.execute(db)
}
