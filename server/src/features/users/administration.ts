import type { Tx } from '../../db/connect.ts'
import type { Role, UserStatus } from '../../db/tables.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { fromNow } from '../../shared/clock.ts'
import { AppError, errors } from '../../shared/errors.ts'
import { recordAudit, recordAuditAlone, type Actor } from '../audit/audit.ts'
import { addAccount, changeAccount, keepASuperAdmin, lockedAccount } from '../auth/accounts.ts'
import type { Account, AccountChange } from '../auth/auth.queries.ts'
import { recordStateChanges } from '../history/history.ts'
import { changeOf, differenceOf, refuseShortPassword, type UserChange } from './changes.ts'
import { toDetails } from './details.ts'
import { listUsers, type UserRow } from './profile.queries.ts'
import { mayGive, mayManage, refuseChange } from './rights.ts'
import { enterMarket, isBarred, leaveMarket } from './standing.ts'

const RESTORABLE_MS = 30 * 86_400_000

export type AdministrationDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'queue' | 'passwords' | 'sessions'>

/** Who asks, which account, and which version of it they saw. */
export type Request = { actor: Actor; userId: number; expected: number | undefined }

export type NewUser = {
  email: string
  username?: string
  name: string
  password: string
  phone?: string | null
  city?: string | null
  avatar_url?: string | null
  role?: Role
  status?: UserStatus
  is_test_user?: boolean
}

/**
 * Makes an account (decision C6); `also` runs in the same transaction. 403 for a role that the actor may not give, 409
 * DUPLICATE for a taken address or username, 422 for an administrator's password under 12 characters.
 */
export async function createUser(
  deps: AdministrationDeps,
  actor: Actor,
  { password, ...input }: NewUser,
  also: (tx: Tx, user: UserRow) => Promise<void> | undefined,
): Promise<UserRow> {
  const { role = 'user', status = 'active' } = input
  return keepingDenials(deps, actor, undefined, async () => {
    if (!mayGive(actor, role)) throw errors.forbidden()
    refuseShortPassword(password, role)
    const password_hash = await deps.passwords.hash(password)
    return inTransaction(deps.db, async (tx) => {
      const at = fromNow(deps.clock)
      const account = await addAccount(tx, { ...input, role, status, password_hash, created_at: at, updated_at: at })
      await recordStanding(tx, account, { from: null, to: status, actor, note: null, at })
      const user = await userRow(tx, account.user_id)
      await also(tx, user)
      await record(tx, deps, actor, 'user.create', { before: null, after: account })
      return user
    })
  })
}

/**
 * Changes an account (decision C6). 403 for an account or a role that the actor does not stand above, 404 for one that is
 * not there or deleted, 409 DUPLICATE as above or for what would leave no super administrator, 412 with the account as it
 * is when the actor saw another version. A new password, role or status ends the user's sessions.
 */
export async function updateUser(
  deps: AdministrationDeps,
  request: Request,
  { password, ...input }: UserChange & { password?: string },
): Promise<UserRow> {
  const { actor, userId } = request
  const user = await keepingDenials(deps, actor, userId, async () => {
    const passwordHash = password === undefined ? undefined : await deps.passwords.hash(password)
    return inTransaction(deps.db, async (tx) => {
      const at = fromNow(deps.clock)
      const before = await presentAccount(tx, userId)
      refuseChange(actor, before, input)
      await refuseOtherVersion(tx, before, request)
      if (password !== undefined) refuseShortPassword(password, input.role ?? before.role)
      const change: AccountChange = {
        ...changeOf(before, input, at),
        ...(passwordHash && { password_hash: passwordHash }),
      }
      if (Object.keys(change).length === 0) return userRow(tx, userId)
      if (endsSuperAdmin(before, change)) await keepASuperAdmin(tx, userId)
      const after = await changeAccount(tx, before, { ...change, updated_at: at })
      await followStatus(deps, tx, { before, after, actor, at })
      const ending = (['status', 'role', 'password_hash'] as const).find((field) => change[field] !== undefined)
      if (ending !== undefined) await deps.sessions.endAllOf(userId, `${ending.split('_')[0]} changed`, tx)
      const changed = await userRow(tx, userId)
      await record(tx, deps, actor, 'user.update', { before, after })
      return changed
    })
  })
  deps.sessions.forget(userId)
  return user
}

/**
 * Deletes an account softly (decision C7): it can be restored for 30 days. From now on it has no sessions, gets no pushes, its
 * products are hidden and its open swaps are closed. 404 for one that is not there or deleted already; 409 for oneself and
 * for the last super administrator; 403 and 412 as above.
 */
export async function deleteUser(
  deps: AdministrationDeps,
  request: Request,
): Promise<{ id: number; deleted_at: string; restorable_until: string }> {
  const { actor, userId } = request
  const at = fromNow(deps.clock)
  const restorableUntil = fromNow(deps.clock, RESTORABLE_MS)
  await keepingDenials(deps, actor, userId, () =>
    inTransaction(deps.db, async (tx) => {
      const before = await presentAccount(tx, userId)
      if (userId === actor.userId) throw errors.conflict('Nobody deletes their own account here.')
      if (!mayManage(actor, before)) throw errors.forbidden()
      await refuseOtherVersion(tx, before, request)
      if (before.role === 'super_admin') await keepASuperAdmin(tx, userId)
      const after = await changeAccount(tx, before, { deleted_at: at, purge_after: restorableUntil, updated_at: at })
      await recordStanding(tx, after, { from: before.status, to: 'deleted', actor, note: null, at })
      await leaveMarket(deps, tx, { userId, reason: 'user_deleted', actorId: actor.userId, at })
      await deps.sessions.endAllOf(userId, 'account deleted', tx)
      await record(tx, deps, actor, 'user.delete', { before, after })
    }),
  )
  deps.sessions.forget(userId)
  return { id: userId, deleted_at: at.toISOString(), restorable_until: restorableUntil.toISOString() }
}

/**
 * Restores a deleted account, within 30 days (decision C7), with its products; closed swaps stay closed. 404 when there is
 * none, 409 INVALID_STATE when it is not deleted or its time is over; 403 and 412 as above.
 */
export async function restoreUser(
  deps: AdministrationDeps,
  request: Request,
  also: (tx: Tx, user: UserRow) => Promise<void> | undefined,
): Promise<UserRow> {
  const { actor, userId } = request
  return keepingDenials(deps, actor, userId, () =>
    inTransaction(deps.db, async (tx) => {
      const at = fromNow(deps.clock)
      const before = await lockedAccount(tx, userId)
      if (!mayManage(actor, before)) throw errors.forbidden()
      if (before.deleted_at === null) throw errors.invalidState('This account is not deleted.')
      if (before.purge_after !== null && before.purge_after <= at)
        throw errors.invalidState('The time in which this account could be restored is over.')
      await refuseOtherVersion(tx, before, request)
      const after = await changeAccount(tx, before, { deleted_at: null, purge_after: null, updated_at: at })
      await recordStanding(tx, after, { from: 'deleted', to: after.status, actor, note: null, at })
      if (!isBarred(after.status)) await enterMarket(tx, [userId])
      const user = await userRow(tx, userId)
      await also(tx, user)
      await record(tx, deps, actor, 'user.restore', { before, after })
      return user
    }),
  )
}

/** Does what a change of status brings about: its event row, and what becomes of products and swaps. */
async function followStatus(
  deps: AdministrationDeps,
  tx: Tx,
  { before, after, actor, at }: { before: Account; after: Account; actor: Actor; at: Date },
): Promise<void> {
  if (before.status === after.status) return
  const note = after.status_reason
  await recordStanding(tx, after, { from: before.status, to: after.status, actor, note, at })
  const [wasBarred, bars] = [isBarred(before.status), isBarred(after.status)]
  const { user_id: userId } = after
  if (bars && !wasBarred)
    await leaveMarket(deps, tx, { userId, reason: `user_${after.status}`, actorId: actor.userId, at })
  if (wasBarred && !bars) await enterMarket(tx, [userId])
}

async function recordStanding(
  tx: Tx,
  { user_id }: Account,
  change: { from: string | null; to: string; actor: Actor; note: string | null; at: Date },
): Promise<void> {
  const { from, to, actor, note, at } = change
  const who = { entity: 'user', entity_id: user_id, user_id, actor: 'administrator', actor_id: actor.userId } as const
  await recordStateChanges(tx, [{ ...who, from_state: from, to_state: to, note, at }])
}

/** An account that is not deleted, locked; 404 when there is none. */
async function presentAccount(tx: Tx, userId: number): Promise<Account> {
  const account = await lockedAccount(tx, userId)
  if (account.deleted_at !== null) throw errors.notFound('This user')
  return account
}

async function refuseOtherVersion(tx: Tx, account: Account, { expected }: Request): Promise<void> {
  if (expected === undefined || expected === account.version) return
  throw errors.staleVersion(toDetails(await userRow(tx, account.user_id)))
}

function endsSuperAdmin(before: Account, { role, status }: AccountChange): boolean {
  if (before.role !== 'super_admin') return false
  return (role !== undefined && role !== 'super_admin') || (status !== undefined && status !== 'active')
}

async function userRow(tx: Tx, userId: number): Promise<UserRow> {
  const [user] = await listUsers(tx, [userId])
  if (user === undefined) throw errors.notFound('This user')
  return user
}

/** Leaves the audit entry of a change (decision C14); the last thing in its transaction. */
async function record(
  tx: Tx,
  { clock }: AdministrationDeps,
  actor: Actor,
  action: string,
  { before, after }: { before: Account | null; after: Account },
): Promise<void> {
  const change = { ...differenceOf(before, after), subjectId: after.user_id }
  await recordAudit(tx, clock, actor, { action, entity: 'user', entityId: after.user_id, change })
}

/** Runs `work`; the audit log keeps it when the actor has no right to it (decision C14). */
async function keepingDenials<T>(
  deps: AdministrationDeps,
  actor: Actor,
  userId: number | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.code === 'FORBIDDEN')
      await recordAuditAlone(deps, actor, {
        action: 'denied',
        entity: 'user',
        ...(userId !== undefined && { entityId: userId }),
      })
    throw error
  }
}
