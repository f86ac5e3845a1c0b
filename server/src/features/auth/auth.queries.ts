import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'
import type { Role, UserStatus } from '../../db/tables.ts'

export type AccountRow = {
  user_id: number
  username: string
  email: string
  name: string
  role: Role
  status: UserStatus
}

const ACCOUNT = ['user_id', 'username', 'email', 'name', 'role', 'status'] as const

/** The account of an address, in whatever case, with its password hash; undefined when there is none or it is deleted. */
export function findAccountByEmail(
  db: Db | Tx,
  email: string,
): Promise<(AccountRow & { password_hash: string }) | undefined> {
  return db
    .selectFrom('users')
    .select([...ACCOUNT, 'password_hash'])
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** True when an account, a deleted one included, has the address: the address of a deleted account stays its own. */
export async function isEmailTaken(db: Db | Tx, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('user_id')
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst()
  return row !== undefined
}

/** True when some account, not deleted, is a super administrator. */
export async function hasSuperAdmin(db: Db | Tx): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('user_id')
    .where('role', '=', 'super_admin')
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores an account and gives it; undefined when its address or its username is taken. */
export function insertAccount(
  db: Db | Tx,
  account: Omit<AccountRow, 'user_id' | 'status'> & { password_hash: string },
): Promise<AccountRow | undefined> {
  return db
    .insertInto('users')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .returning(ACCOUNT)
    .executeTakeFirst()
}

/** Replaces the hash of the same password, unless the password changed meanwhile. */
export async function updatePasswordHash(db: Db, userId: number, before: string, after: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: after })
    .where('user_id', '=', userId)
    .where('password_hash', '=', before)
    .execute()
}

/**
 * Sets when accounts were last active: on the first call of their day, and then when `restMs` have passed. Gives those
 * that it changed, with the days since their last active day. Rows are locked in the order of their ids, so that two
 * processes never wait for each other in a circle.
 */
export async function updateLastActive(
  tx: Tx,
  day: string,
  seen: { userId: number; at: Date }[],
  restMs: number,
): Promise<{ user_id: number; days_since: number | null; is_first: boolean }[]> {
  const { rows } = await sql<{ user_id: number; days_since: number | null; is_first: boolean }>`
    with seen as (
      select * from unnest(${seen.map(({ userId }) => userId)}::bigint[], ${seen.map(({ at }) => at)}::timestamptz[])
        as s (user_id, at)),
    before as (
      select u.user_id, u.last_active_day, s.at from seen s join users u on u.user_id = s.user_id
      where u.last_active_day is null or u.last_active_day < ${day}::date
        or (u.last_active_day = ${day}::date and u.last_active_at <= s.at - ${restMs}::int * interval '1 millisecond')
      order by u.user_id
      for no key update of u)
    update users u set last_active_at = before.at, last_active_day = ${day}::date from before
    where u.user_id = before.user_id
    returning u.user_id, ${day}::date - before.last_active_day as days_since,
      before.last_active_day is distinct from ${day}::date as is_first`.execute(tx)
  return rows
}
