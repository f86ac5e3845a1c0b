import { workIn } from '../../platform/work/work.ts'
import type { Tx } from '../../platform/db/connect.ts'
import type { AdministrationDeps } from '../deps.ts'
import { errors, type AppError } from '../../platform/shared/errors.ts'
import { existing } from '../../platform/shared/must.ts'
import { isExpected, type Expected } from '../../platform/shared/versions.ts'
import { recordAudit, type Actor } from '../../platform/audit/audit.ts'
import { askForApproval, mustBeApproved, type Asked } from '../../identity/approvals/approvals.ts'
import { notePower } from '../../identity/approvals/powers.ts'
import { lockedAccount } from '../../identity/accounts/accounts.ts'
import type { HashedPassword } from '../../identity/sign-in/auth.ts'
import type { Account } from '../../identity/accounts/auth.queries.ts'
import { recordStateChanges } from '../../marketplace/history/history.ts'
import { differenceOf, type UserChange } from './changes.ts'
import { gavePower, mayManage } from './rights.ts'
import { listUsers, type UserRow } from '../users/profile.queries.ts'

/** The caller, the account, and the version of it that the caller saw. */
export type Request = {
  actor: Actor
  userId: number
  expected: Expected
  from: { sessionId: string; site: string }
  /** This administrator asked for it, where `actor` approves it. */
  askedBy?: number
}

export async function recordStatusChange(
  tx: Tx,
  { user_id }: Account,
  change: { from: string | null; to: string; actor: Actor; note: string | null; at: Date },
): Promise<void> {
  const { from, to, actor, note, at } = change
  const by = actor.userId === user_id ? 'user' : 'administrator'
  const who = { entity: 'user', entity_id: user_id, user_id, actor: by } as const
  await recordStateChanges({ tx, by: actor, now: () => at }, [{ ...who, from_state: from, to_state: to, note }])
}

/** 404 when it does not exist or is deleted. */
export async function presentAccount(tx: Tx, userId: number): Promise<Account> {
  const account = await lockedAccount(tx, userId)
  if (account.deleted_at !== null) throw errors.notFound('This user')
  return account
}

/** It throws 403 too, unless the account is one's own or has a lower role. */
export async function managedAccount(tx: Tx, actor: Actor, userId: number): Promise<Account> {
  const account = await presentAccount(tx, userId)
  if (actor.userId !== userId && !mayManage(actor, account))
    throw errors.forbidden({ entity: 'user', entityId: userId })
  return account
}

export async function refuseOtherVersion(tx: Tx, account: Account, { expected }: Request): Promise<void> {
  if (isExpected(expected, account.version)) return
  throw errors.staleVersion(await userRow(tx, account.user_id))
}

export async function userRow(tx: Tx, userId: number): Promise<UserRow> {
  return existing((await listUsers(tx, [userId]))[0], 'This user')
}

/** True where a second administrator must approve what gives somebody an account with rights (ADR 12). */
export function mustWait({ config }: Pick<AdministrationDeps, 'config'>, { actor, userId, askedBy }: Request): boolean {
  return mustBeApproved(config, 'role') && askedBy === undefined && actor.userId !== userId
}

/** A change of an account with rights, as it waits for approval; without `fields`, its restoration. */
export type AskedChange = {
  userId: number
  from: { role: Account['role']; status: Account['status']; email: string; deleted: boolean }
  fields?: UserChange
  secret?: HashedPassword
}

export function askForChange(
  deps: AdministrationDeps,
  tx: Tx,
  { actor }: Request,
  account: Account,
  change: Pick<AskedChange, 'fields' | 'secret'>,
): Promise<Asked> {
  const asked: AskedChange = { userId: account.user_id, from: stateOf(account), ...change }
  return askForApproval(workIn(deps, tx, actor), {
    kind: 'role',
    request: asked,
    about: asked,
    subjectId: asked.userId,
  })
}

/** What the pin of such a change covers. */
export async function aboutChange(tx: Tx, asked: AskedChange): Promise<AskedChange> {
  return { ...asked, from: stateOf(await lockedAccount(tx, asked.userId)) }
}

function stateOf({ role, status, email, deleted_at: deletedAt }: Account): AskedChange['from'] {
  return { role, status, email, deleted: deletedAt !== null }
}

/** A change of many accounts cannot ask for an approval of one. */
export function unapproved(): AppError {
  return errors.conflict('A second administrator must approve this. Change this account by itself.')
}

export async function record(
  tx: Tx,
  deps: AdministrationDeps,
  actor: Actor,
  action: string,
  { before, after }: { before: Account | null; after: Account },
): Promise<void> {
  if (actor.userId !== null && gavePower(before, after))
    await notePower(workIn(deps, tx), { actorId: actor.userId, subjectId: after.user_id })
  const change = { ...differenceOf(before, after), subjectId: after.user_id }
  await recordAudit(tx, deps, actor, { action, entity: 'user', entityId: after.user_id, change })
}
