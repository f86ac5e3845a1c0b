import { randomInt } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { AuditEntry } from '../../platform/audit/audit.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Role } from '../../platform/tables/tables.ts'
import type { Tables } from '../../platform/tables/schema.ts'
import { errors, type FieldErrors, existing } from '../../platform/shared/errors.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import { insertDefaultSettings } from '../settings/settings.queries.ts'
import {
  findAccountByEmail,
  findAccountById,
  findTaken,
  hasOtherSuperAdmin,
  insertAccount,
  lockAccount,
  updateAccount,
  type Account,
  type AccountChange,
  type AccountRow,
} from './accounts.queries.ts'
import { deleteUserTokens } from './tokens.queries.ts'

const TAKEN = 'belongs to another account'
const UNIQUE_VIOLATION = '23505'
const USERNAME_ATTEMPTS = 10

/** A deleted account is found too. */
export async function lockedAccount(tx: Tx, userId: number): Promise<Account> {
  return existing(await lockAccount(tx, userId), 'This user')
}

/** Undefined when it is deleted, not active or not there. */
export async function findActiveAccount(db: Db, userId: number): Promise<AccountRow | undefined> {
  const account = await findAccountById(db, userId)
  return account?.status === 'active' ? account : undefined
}

/** Others may know this of the owner, so a password must not be made of it. */
export async function listKnownWords(db: Db, userId: number): Promise<string[]> {
  const account = await findAccountById(db, userId)
  return account === undefined ? [] : [account.email, account.name, account.username]
}

/** A deleted account is found too. */
export async function findAccountId(db: Db, email: string): Promise<number | undefined> {
  return (await findAccountByEmail(db, email))?.user_id
}

export async function findAccountRole(tx: Tx, userId: number): Promise<Role | undefined> {
  return (await findAccountById(tx, userId))?.role
}

/** The audit log keeps what staff do (decision C14), also in a session that has lost its rights. */
export async function auditStaff(work: Work, entry: AuditEntry): Promise<void> {
  const role = await findAccountRole(work.tx, callerId(work))
  if (role !== undefined && role !== 'user') await work.as({ role }).audit(entry)
}

type AccountEntry = { action: string; before?: Record<string, unknown> | null; after: Record<string, unknown> }

/** The details of the entry are the account's, and are forgotten with it. */
export async function auditAccount(work: Work, userId: number, { action, ...change }: AccountEntry): Promise<void> {
  await work.audit({ action, entity: 'user', entityId: userId, change: { ...change, subjectId: userId } })
}

type NewAccount = Omit<Insertable<Tables['users']>, 'username' | 'created_at' | 'updated_at'> & {
  username?: string | undefined
}

/** Without a username, a neutral one is made. 409 DUPLICATE names what is taken. */
export async function addAccount({ tx, now }: Work, { username, ...account }: NewAccount): Promise<Account> {
  const at = now()
  const times = { created_at: at, updated_at: at }
  for (let attempt = 1; attempt <= USERNAME_ATTEMPTS; attempt++) {
    const stored = await insertAccount(tx, { ...account, ...times, username: username ?? neutralUsername() })
    if (stored !== undefined) {
      await insertDefaultSettings(tx, stored.user_id)
      return stored
    }
    await refuseTaken(tx, { email: account.email, username: username ?? null, userId: null })
  }
  throw new Error('No free username was found.')
}

/**
 * A new password or address, and a deletion, end all links of mails of before, and take back an address that waits,
 * unless this change names it: somebody else may have caused them. Links to the new address stay, because people open
 * them twice. 409 DUPLICATE as above; the transaction must then roll back.
 */
export async function changeAccount(
  { tx, now }: Work,
  { before, change }: { before: Account; change: AccountChange },
): Promise<Account> {
  const { user_id: userId } = before
  const { email = before.email, username = before.username } = change
  if (change.email !== undefined || change.username !== undefined) await refuseTaken(tx, { email, username, userId })
  const isMoved = email !== before.email
  const endsLinks = isMoved || Boolean(change.password_hash ?? change.deleted_at)
  try {
    const stored = { ...(endsLinks && { pending_email: null }), ...change }
    const after = await updateAccount(tx, { ...stored, user_id: userId, updated_at: now() })
    if (endsLinks) await deleteUserTokens(tx, { userId, exceptTo: isMoved ? email : undefined })
    return after
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string }
    if (code !== UNIQUE_VIOLATION) throw error
    throw errors.duplicates({ [constraint === 'users_username' ? 'username' : 'email']: [TAKEN] })
  }
}

/** 409 DUPLICATE when another account than `userId`, also a deleted one, has the address or the username. */
export async function refuseTaken(
  tx: Tx,
  taking: { email: string; username: string | null; userId: number | null },
): Promise<void> {
  const taken = await findTaken(tx, taking)
  const fields: FieldErrors = { ...(taken.email && { email: [TAKEN] }), ...(taken.username && { username: [TAKEN] }) }
  if (Object.keys(fields).length > 0) throw errors.duplicates(fields)
}

/** 409 when no active super administrator would remain (decision C7). Two who remove each other wait for one lock. */
export async function keepASuperAdmin(tx: Tx, withoutUserId: number): Promise<void> {
  if (!(await hasOtherSuperAdmin(tx, withoutUserId))) throw errors.conflict('This is the last super administrator.')
}

/** With ten digits a taken one is rare, also among ten million people. */
function neutralUsername(): string {
  return `user-${randomInt(1_000_000_000, 10_000_000_000)}`
}
