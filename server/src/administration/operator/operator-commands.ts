import { errors } from '../../platform/shared/errors.ts'
import { userInfo } from 'node:os'
import type { PushDeps } from '../../push/deps.ts'
import type { Command } from '../../platform/process/command.ts'
import type { Role } from '../../platform/tables/tables.ts'
import { ROLES } from '../../platform/shared/words.ts'
import { generatedPassword, readSecret } from './secret-input.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/db/connect.ts'
import { isLongPassword, PASSWORD_LENGTH, refuseShortPassword } from '../../platform/secrets/password-length.ts'
import { must } from '../../platform/shared/must.ts'
import { isMailAddress, refuseFaultyText } from '../../platform/shared/plain-text.ts'
import { inWork } from '../../platform/work/work.ts'
import {
  addAccount,
  auditAccount,
  changeAccount,
  findAccountId,
  listKnownWords,
} from '../../identity/accounts/accounts.ts'
import type { Account } from '../../identity/accounts/accounts.queries.ts'
import { declareTwoPeople } from '../../identity/approvals/powers.ts'
import { removeAllFactors } from '../../identity/second-factor/second-factor.ts'
import { hashed } from '../../identity/sign-in/auth.ts'
import { findDifference } from '../accounts/user-fields.ts'
import { presentAccount } from '../accounts/account-changes.ts'
import { recordStateChanges } from '../../marketplace/history/history.ts'

const ADMIN_ROLES = ROLES.filter((role): role is Exclude<Role, 'user'> => role !== 'user')

const EMAIL = { takes: 'ADDRESS', isRequired: true, doc: 'Its e-mail address.' } as const
const PASSWORD = { doc: 'Read the password from standard input; absent: one is made and shown.' }

export const createAdminCommand: Command<PushDeps> = {
  doc: 'Create an account of an administrator.',
  isAudited: true,
  options: {
    email: EMAIL,
    name: { takes: 'NAME', isRequired: true, doc: 'The name of the person.' },
    role: { takes: 'ROLE', doc: `${ADMIN_ROLES.join(', ')}; absent: super_admin.` },
    'password-stdin': PASSWORD,
  },
  run: async (deps, { email = '', name = '', role: given = 'super_admin', 'password-stdin': isGiven }) => {
    const role = ADMIN_ROLES.find((known) => known === given)
    if (role === undefined) throw errors.badRequest(`--role must be one of: ${ADMIN_ROLES.join(', ')}.`)
    const { password, output } = await choosePassword(isGiven !== undefined)
    const account = await createAdmin(deps, { email, name, role, password, operator: whoami() })
    return { text: `Account ${account.user_id} is a ${role} now.${output}`, isGood: true }
  },
}

export const resetAdminPasswordCommand: Command<PushDeps> = {
  doc: 'Give an administrator a new password, and end all sessions of the account.',
  isAudited: true,
  options: {
    email: EMAIL,
    'password-stdin': PASSWORD,
    'disable-second-factor': {
      doc: 'Remove the second factor too, app, passkeys and recovery codes, for who has lost all of them.',
    },
  },
  run: async (deps, { email = '', 'password-stdin': isGiven, 'disable-second-factor': factor }) => {
    const { password, output } = await choosePassword(isGiven !== undefined)
    const { user_id, status } = await resetAdminPassword(deps, {
      email,
      password,
      operator: whoami(),
      withoutFactor: factor !== undefined,
    })
    const barred = status === 'active' || status === 'inactive' ? '' : ` The account is ${status} and cannot sign in.`
    return {
      text: `Account ${user_id} has a new password, and its sessions have ended.${barred}${output}`,
      isGood: true,
    }
  },
}

export const twoPeopleCommand: Command<PushDeps> = {
  doc: 'Declare that two administrators are two people: they may approve for each other at once.',
  isAudited: true,
  options: { email: EMAIL, other: { takes: 'ADDRESS', isRequired: true, doc: 'The e-mail address of the other one.' } },
  run: async (deps, { email = '', other = '' }) => {
    const { accounts, areFree } = await declareTwoAdmins(deps, { emails: [email, other], operator: whoami() })
    const [one, second] = accounts
    const text = areFree
      ? `The accounts ${one} and ${second} may approve for each other.`
      : `The accounts ${one} and ${second} may not approve for each other yet: a third account has power over both. Run this command for that account and one of the two as well.`
    return { text, isGood: areFree }
  },
}

async function choosePassword(isGiven: boolean): Promise<{ password: string; output: string }> {
  if (isGiven) return { password: await readSecret(process.stdin), output: '' }
  const password = generatedPassword()
  return { password, output: `\nPassword: ${password}\nIt is shown only here. Change it after the first sign-in.` }
}

/** Containers may run under a number without a name. */
function whoami(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** `operator`: the account of the machine that runs the command. */
type ByOperator = { operator: string; password: string }

const NAME_MAX = 100

/** Who runs the service may do this, without the higher administrator of decision C6. 409 DUPLICATE, 422 that names
 * the field. */
async function createAdmin(
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
    const { after } = findDifference(null, account)
    await auditAccount(work, userId, { action: 'user.create', after: { ...after, operator } })
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
    await auditAccount(work, userId, { action: 'user.reset-password', after: facts })
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
    for (const userId of two) await auditAccount(work, userId, { action: 'user.two-people', after })
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
