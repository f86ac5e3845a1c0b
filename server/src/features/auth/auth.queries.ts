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
