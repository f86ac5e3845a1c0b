import type { Role } from '../../platform/tables/tables.ts'
import type { PushDeps } from '../../push/deps.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/db/connect.ts'
import { isLongPassword, PASSWORD_LENGTH, refuseShortPassword } from '../../platform/secrets/password-length.ts'
import { errors } from '../../platform/shared/errors.ts'
import { must } from '../../platform/shared/must.ts'
import { isMailAddress, refuseFaultyText } from '../../platform/shared/plain-text.ts'
import { inWork, type Work } from '../../platform/work/work.ts'
import { addAccount, changeAccount, findAccountId, listKnownWords } from '../../identity/accounts/accounts.ts'
import type { Account } from '../../identity/accounts/accounts.queries.ts'
import { declareTwoPeople } from '../../identity/approvals/powers.ts'
import { removeAllFactors } from '../../identity/second-factor/second-factor.ts'
import { hashed } from '../../identity/sign-in/auth.ts'
import { findDifference } from '../accounts/user-fields.ts'
import { presentAccount } from '../accounts/account-changes.ts'
import { recordStateChanges } from '../../marketplace/history/history.ts'

/** `operator`: the account of the machine that runs the command. */
type ByOperator = { operator: string; password: string }

const NAME_MAX = 100

/** Who runs the service may do this, without the higher administrator of decision C6. 409 DUPLICATE, 422 that names
 * the field. */
export async function createAdmin(
  deps: PushDeps,
  { operator, password, ...about }: { email: string; name: string; role: Exclude<Role, 'user'> } & ByOperator,
): Promise<Account> {
  refuseLong({ name: about.name }, NAME_MAX)
  refuseFaultyText({ name: about.name }, 'line')
  if (!isMailAddress(about.email)) throw errors.validation({ email: ['must be an e-mail address in ASCII'] })
  const secret = await newPassword(deps, { password, role: about.role, known: [about.email, about.name] })
  return inWork(deps, THE_SERVICE, async (work) => {
    const account = await addAccount(work, { ...about, ...secret })
    const { user_id: userId, status } = account
    const who = { entity: 'user', entity_id: userId, user_id: userId, actor: 'system' } as const
    await recordStateChanges(work, [{ ...who, from_state: null, to_state: status }])
    const { before, after } = findDifference(null, account)
    await audit(work, 'create', { userId, before, after: { ...after, operator } })
    return account
  })
}

/** Ends all sessions; `withoutFactor` removes the second factor too. 404 for an unknown or deleted address, 409 for
 * a user, whose password is theirs alone, 422 for a short password. */
export async function resetAdminPassword(
  deps: PushDeps,
  { email, password, operator, withoutFactor }: { email: string; withoutFactor: boolean } & ByOperator,
): Promise<Account> {
  const userId = await accountAt(deps.db, email)
  const secret = await newPassword(deps, {
    password,
    role: 'super_admin',
    known: await listKnownWords(deps.db, userId),
  })
  return inWork(deps, THE_SERVICE, async (work) => {
    const { tx } = work
    const before = await presentAccount(tx, userId)
    if (before.role === 'user') throw errors.conflict('This is the account of a user, not of an administrator.')
    const after = await changeAccount(work, { before, change: secret })
    await deps.sessions.end(work, { userId, reason: 'password changed' })
    const hadFactor = withoutFactor && (await removeAllFactors(tx, userId))
    const facts = { password: 'reset', sessions: 'ended', ...(hadFactor && { second_factor: 'removed' }), operator }
    await audit(work, 'reset-password', { userId, after: facts })
    return after
  })
}

/** Lets two administrators approve for each other at once, though one had power over the account of the other (ADR 12).
 * 404 for an unknown address, 422 for the same twice. */
export async function declareTwoAdmins(
  deps: PushDeps,
  { emails, operator }: { emails: [string, string]; operator: string },
): Promise<{ accounts: [number, number]; areFree: boolean }> {
  const [one, other] = await Promise.all(emails.map((email) => accountAt(deps.db, email)))
  const two: [number, number] = [must(one, 'first administrator'), must(other, 'second administrator')]
  if (two[0] === two[1]) throw errors.validation({ other: ['must be another account'] })
  return inWork(deps, THE_SERVICE, async (work) => {
    const areFree = await declareTwoPeople(work, two)
    const after = { accounts: two, operator }
    for (const userId of two) await audit(work, 'two-people', { userId, after })
    return { accounts: two, areFree }
  })
}

async function accountAt(db: Db, email: string): Promise<number> {
  const userId = await findAccountId(db, email)
  if (userId === undefined) throw errors.notFound(`An account with the address ${email}`)
  return userId
}

async function newPassword(
  deps: PushDeps,
  { password, role, known }: { password: string; role: Role; known: string[] },
) {
  refuseLong({ password }, PASSWORD_LENGTH.most)
  refuseShortPassword(role, isLongPassword(password))
  return hashed(deps, password, known)
}

function refuseLong(fields: Record<string, string>, most: number): void {
  for (const [field, text] of Object.entries(fields))
    if (Array.from(text).length > most) throw errors.validation({ [field]: [`must have at most ${most} characters`] })
}

type Audited = { userId: number; before?: Record<string, unknown> | null; after: Record<string, unknown> }

async function audit(work: Work, verb: string, { userId, before = null, after }: Audited): Promise<void> {
  const change = { before, after, subjectId: userId }
  await work.audit({ action: `user.${verb}`, entity: 'user', entityId: userId, change })
}
