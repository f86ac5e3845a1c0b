import type { Tx } from '../../platform/db/connect.ts'
import type { Deps } from '../../deps.ts'
import { errors } from '../../platform/shared/errors.ts'
import { existing } from '../../platform/shared/must.ts'
import { isExpected, type Expected } from '../../platform/shared/versions.ts'
import { recordAudit, type Actor, type AuditDeps } from '../../platform/audit/audit.ts'
import { lockedAccount } from '../../identity/accounts/accounts.ts'
import type { ConfirmDeps } from '../../identity/sign-in/auth.ts'
import type { Account } from '../../identity/accounts/auth.queries.ts'
import { recordStateChanges } from '../../marketplace/history/history.ts'
import { differenceOf } from './changes.ts'
import { listUsers, type UserRow } from '../users/profile.queries.ts'

export type AdministrationDeps = AuditDeps & ConfirmDeps & Pick<Deps, 'queue' | 'tracing' | 'sessions'>

/** The caller, the account, and the version of it that the caller saw. */
export type Request = {
  actor: Actor
  userId: number
  expected: Expected
  from: { sessionId: string; site: string }
}

export async function recordStatusChange(
  tx: Tx,
  { user_id }: Account,
  change: { from: string | null; to: string; actor: Actor; note: string | null; at: Date },
): Promise<void> {
  const { from, to, actor, note, at } = change
  const by = actor.userId === user_id ? 'user' : 'administrator'
  const who = { entity: 'user', entity_id: user_id, user_id, actor: by, actor_id: actor.userId } as const
  await recordStateChanges(tx, [{ ...who, from_state: from, to_state: to, note, at }])
}

/** 404 when it does not exist or is deleted. */
export async function presentAccount(tx: Tx, userId: number): Promise<Account> {
  const account = await lockedAccount(tx, userId)
  if (account.deleted_at !== null) throw errors.notFound('This user')
  return account
}

export async function refuseOtherVersion(tx: Tx, account: Account, { expected }: Request): Promise<void> {
  if (isExpected(expected, account.version)) return
  throw errors.staleVersion(await userRow(tx, account.user_id))
}

export async function userRow(tx: Tx, userId: number): Promise<UserRow> {
  return existing((await listUsers(tx, [userId]))[0], 'This user')
}

export async function record(
  tx: Tx,
  deps: AdministrationDeps,
  actor: Actor,
  action: string,
  { before, after }: { before: Account | null; after: Account },
): Promise<void> {
  const change = { ...differenceOf(before, after), subjectId: after.user_id }
  await recordAudit(tx, deps, actor, { action, entity: 'user', entityId: after.user_id, change })
}
