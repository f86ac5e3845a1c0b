import { errors } from '../../platform/shared/errors.ts'
import { userInfo } from 'node:os'
import type { PushDeps } from '../../push/deps.ts'
import type { Command } from '../../platform/process/command.ts'
import type { Role } from '../../platform/tables/tables.ts'
import { ROLES } from '../../platform/shared/words.ts'
import { createAdmin, declareTwoAdmins, resetAdminPassword } from './operator-accounts.ts'
import { generatedPassword, readSecret } from './secret-input.ts'

type AdminRole = Exclude<Role, 'user'>
const ADMIN_ROLES = ROLES.filter((role): role is AdminRole => role !== 'user')

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
