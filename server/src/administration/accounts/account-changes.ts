import type { Tx } from '../../platform/db/connect.ts'
import { errors, type AppError, isExpected, type Expected, existing } from '../../platform/shared/errors.ts'
import type { Work } from '../../platform/work/work.ts'
import { askForApproval, mustBeApproved, type Pending } from '../../identity/approvals/approvals.ts'
import { notePower } from '../../identity/approvals/powers.ts'
import { auditAccount, lockedAccount } from '../../identity/accounts/accounts.ts'
import type { HashedPassword } from '../../identity/sign-in/auth.ts'
import type { Account } from '../../identity/accounts/accounts.queries.ts'
import type { Sessions } from '../../identity/sessions/sessions.ts'
import { recordStateChanges } from '../../marketplace/history/history.ts'
import { findDifference, type UserChange } from './user-fields.ts'
import { gavePower, mayManage } from './rights.ts'
import { listUsers, type UserRow } from '../users/profile.queries.ts'

/** The account, and the version of it that the caller saw. `isApproved`: a second administrator agrees. */
export type Target = { sessions: Sessions; userId: number; expected?: Expected; isApproved?: boolean }

export async function recordStatusChange(
  work: Work,
  change: { userId: number; from: string | null; to: string; note?: string | null },
): Promise<void> {
  const { userId, from: from_state, to: to_state, note = null } = change
  const actor = work.by.userId === userId ? 'user' : 'administrator'
  const who = { entity: 'user', entity_id: userId, user_id: userId, actor } as const
  await recordStateChanges(work, [{ ...who, from_state, to_state, note }])
}

/** 404 when it does not exist or is deleted. */
export async function presentAccount(tx: Tx, userId: number): Promise<Account> {
  const account = await lockedAccount(tx, userId)
  if (account.deleted_at !== null) throw errors.notFound('This user')
  return account
}

export async function refuseOtherVersion(tx: Tx, account: Account, expected: Expected): Promise<void> {
  if (isExpected(expected, account.version)) return
  throw errors.staleVersion(await userRow(tx, account.user_id))
}

/** 403 unless the account has a lower role, or a super administrator asks. */
export function refuseUnmanaged({ by }: Work, account: Account): void {
  if (!mayManage(by, account)) throw errors.forbidden({ entity: 'user', entityId: account.user_id })
}

export async function userRow(tx: Tx, userId: number): Promise<UserRow> {
  return existing((await listUsers(tx, [userId]))[0], 'This user')
}

/** True where a second administrator must approve what gives somebody an account with rights (ADR 12). */
export function mustWait({ by, config }: Work, { userId, isApproved }: Target): boolean {
  return mustBeApproved(config, 'role') && isApproved !== true && by.userId !== userId
}

/** A change of an account with rights, as it waits for approval; without `fields`, its restoration. */
export type RequestedChange = {
  userId: number
  from: { role: Account['role']; status: Account['status']; email: string; deleted: boolean }
  fields?: UserChange
  secret?: HashedPassword
}

export function askForChange(
  work: Work,
  account: Account,
  change: Pick<RequestedChange, 'fields' | 'secret'>,
): Promise<Pending> {
  const request: RequestedChange = { userId: account.user_id, from: toState(account), ...change }
  return askForApproval(work, { kind: 'role', request, about: request, subjectId: request.userId })
}

/** Gives what the pin of such a change covers. */
export async function aboutChange(tx: Tx, wish: RequestedChange): Promise<RequestedChange> {
  return { ...wish, from: toState(await lockedAccount(tx, wish.userId)) }
}

function toState({ role, status, email, deleted_at: deletedAt }: Account): RequestedChange['from'] {
  return { role, status, email, deleted: deletedAt !== null }
}

/** A change of many accounts cannot ask for an approval of one. */
export function unapproved(): AppError {
  return errors.conflict('A second administrator must approve this. Change this account by itself.')
}

export async function recordChange(work: Work, action: string, before: Account | null, after: Account): Promise<void> {
  const { user_id: userId } = after
  const actorId = work.by.userId
  if (actorId !== null && gavePower(before, after)) await notePower(work, { actorId, subjectId: userId })
  await auditAccount(work, userId, { action, ...findDifference(before, after) })
}
