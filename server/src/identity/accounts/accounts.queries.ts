import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Tables } from '../../platform/tables/schema.ts'

export type Account = Selectable<Tables['users']>
export type AccountChange = Omit<Updateable<Tables['users']>, 'user_id' | 'version' | 'created_at' | 'updated_at'>

const ACCOUNT = ['user_id', 'username', 'email', 'name', 'role', 'status'] as const

export type AccountRow = Pick<Account, (typeof ACCOUNT)[number]>

const CREDENTIALS = [...ACCOUNT, 'password_hash', 'has_long_password', 'deleted_at'] as const

export type Credentials = Pick<Account, (typeof CREDENTIALS)[number]>

/** A deleted account is found too. Addresses are ASCII (decision C2): `İ`, which the database lower-cases to `i`, has
 * none. */
export function findAccountByEmail(db: Db | Tx, email: string): Promise<Credentials | undefined> {
  const ascii = /^[!-~]+$/.test(email) ? email : ''
  return db
    .selectFrom('users')
    .select(CREDENTIALS)
    .where(sql`lower(email)`, '=', sql`lower(${ascii})`)
    .executeTakeFirst()
}

export function findAccountById(db: Db | Tx, userId: number): Promise<Credentials | undefined> {
  return db
    .selectFrom('users')
    .select(CREDENTIALS)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

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

/** Undefined when its address or its username is taken. */
export function insertAccount(db: Db | Tx, account: Insertable<Tables['users']>): Promise<Account | undefined> {
  return db
    .insertInto('users')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** False when the stored hash is another than `before` by now. */
export async function updatePasswordHash(
  db: Db,
  { user_id, before, ...after }: Pick<Account, 'user_id' | 'password_hash' | 'has_long_password'> & { before: string },
): Promise<boolean> {
  const update = db.updateTable('users').set(after).where('user_id', '=', user_id).where('password_hash', '=', before)
  return (await update.executeTakeFirst()).numUpdatedRows > 0n
}

export async function findTaken(
  tx: Tx,
  { email, username, userId }: { email: string; username: string | null; userId: number | null },
): Promise<{ email: boolean; username: boolean }> {
  const { rows } = await sql<{ email: boolean; username: boolean }>`
    select
      exists (select 1 from users where lower(email) = lower(${email}) and user_id is distinct from ${userId}) as email,
      exists (select 1 from users where lower(username) = lower(${username}) and user_id is distinct from ${userId})
        as username`.execute(tx)
  return rows[0] ?? { email: false, username: false }
}

/** The lock lets other rows refer to the account: a swap proposal to its owner does not wait. */
export function lockAccount(tx: Tx, userId: number): Promise<Account | undefined> {
  return tx.selectFrom('users').selectAll().where('user_id', '=', userId).forNoKeyUpdate().executeTakeFirst()
}

const SUPER_ADMINS_LOCK = 7_206_002

/** Others who ask wait until the transaction ends. */
export async function hasOtherSuperAdmin(tx: Tx, userId: number): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${SUPER_ADMINS_LOCK})`.execute(tx)
  const other = await tx
    .selectFrom('users')
    .select('user_id')
    .where((on) => on.and({ role: 'super_admin', status: 'active' }))
    .where('deleted_at', 'is', null)
    .where('user_id', '<>', userId)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** Its caller has locked the account. */
export function updateAccount(
  tx: Tx,
  { user_id, ...change }: AccountChange & Pick<Account, 'user_id' | 'updated_at'>,
): Promise<Account> {
  return tx
    .updateTable('users')
    .set({ ...change, version: sql<number>`version + 1` })
    .where('user_id', '=', user_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function endSuspensions(tx: Tx, { limit, now }: { limit: number; now: Date }): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    with ended as (
      select user_id from users
      where suspended_until <= ${now} and status = 'suspended' and deleted_at is null
      order by suspended_until limit ${limit} for no key update skip locked)
    update users set status = 'active', status_reason = null, suspended_until = null, version = version + 1,
      updated_at = ${now}
    where user_id in (select user_id from ended)
    returning user_id`.execute(tx)
  return rows.map((row) => row.user_id)
}

export async function lockPurgeable(
  tx: Tx,
  { limit, now }: { limit: number; now: Date },
): Promise<Pick<Account, 'user_id' | 'created_at'>[]> {
  const { rows } = await sql<Pick<Account, 'user_id' | 'created_at'>>`
    select user_id, created_at from users where purge_after <= ${now} and deleted_at is not null
    order by purge_after limit ${limit} for update skip locked`.execute(tx)
  return rows
}

/** Empties the reasons for the states of accounts that these people wrote (ADR 15): the audit log knows who did. */
export async function emptyReasonsFrom(tx: Tx, writerIds: number[]): Promise<void> {
  await sql`
    update users u set status_reason = null from audit_log l join audit_details d using (audit_id)
    where l.actor_id = any(${writerIds}) and l.entity = 'user' and l.entity_id = u.user_id and d.part = 'change'
      and d.content #>> '{after,status_reason}' = u.status_reason`.execute(tx)
}

export async function deleteAccounts(tx: Tx, userIds: number[]): Promise<void> {
  await tx
    .deleteFrom('users')
    .where('user_id', '=', sql<number>`any(${userIds})`)
    .execute()
}

/**
 * Moves `last_active_at` on the first call of a day, and then after `restMs`, never back. Returns the accounts that
 * changed and those with a later day (`days_since` below 0). It locks in the order of ids, so that two processes cannot
 * deadlock.
 */
export async function updateLastActive(
  tx: Tx,
  { day, seen, restMs }: { day: string; seen: { userId: number; at: Date }[]; restMs: number },
): Promise<{ user_id: number; days_since: number | null }[]> {
  const { rows } = await sql<{ user_id: number; days_since: number | null }>`
    with seen as (
      select * from unnest(${seen.map(({ userId }) => userId)}::bigint[], ${seen.map(({ at }) => at)}::timestamptz[])
        as s (user_id, at)),
    before as (
      select u.user_id, u.last_active_day, s.at from seen s join users u on u.user_id = s.user_id
      where u.last_active_day is distinct from ${day}::date
        or u.last_active_at <= s.at - ${restMs}::int * interval '1 millisecond'
      order by u.user_id
      for no key update of u)
    update users u set last_active_at = greatest(u.last_active_at, before.at),
      last_active_day = greatest(u.last_active_day, ${day}::date)
    from before
    where u.user_id = before.user_id
    returning u.user_id, ${day}::date - before.last_active_day as days_since`.execute(tx)
  return rows
}
