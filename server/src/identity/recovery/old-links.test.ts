// Slow: a second or more for each test, or five for the file.
import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { bearer, get, PASSWORD, post, signedIn } from '../../../test/support/accounts.ts'
import { mailTest as test, type MailService } from '../../../test/support/mail.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import { resetAdminPassword } from '../../administration/operator/operator-commands.ts'

const ACCOUNT = '/api/v1/account'
const CONFIRM = '/api/v1/email/confirm'
const RESET = '/api/v1/password/reset'
const NEXT = 'another good password'

/** Moderators, because every way is open to them: `manage reset-password` too. */
type Owner = { userId: number; email: string; pending: string; token: string }

const KINDS = {
  'for a forgotten password': async (service: MailService, owner: Owner) => {
    await post(service.app, '/api/v1/password/forgot', { email: owner.email })
    const token = await service.tokenTo(owner.email)
    return () => post(service.app, RESET, { token, password: 'a stranger’s password' })
  },
  'that confirms a new address': async (service: MailService, owner: Owner) => {
    await becomePending(service, owner)
    const token = await service.tokenTo(owner.pending)
    return () => post(service.app, CONFIRM, { token })
  },
  'that confirms the present address': async (service: MailService, owner: Owner) => {
    await service.app.inject({ method: 'POST', url: `${ACCOUNT}/confirm-email`, headers: bearer(owner.token) })
    const token = await service.tokenTo(owner.email)
    return () => post(service.app, CONFIRM, { token })
  },
}

const PASSWORD_CHANGES = {
  'by the owner': (service: MailService, { token }: Owner) =>
    changeOwn(service, token, { password: NEXT, current_password: PASSWORD }),
  'by a mail': async (service: MailService, { email }: Owner) => {
    await post(service.app, '/api/v1/password/forgot', { email })
    return post(service.app, RESET, { token: await service.tokenTo(email), password: NEXT })
  },
  'by an administrator': (service: MailService, { userId }: Owner) => repair(service, { id: userId, password: NEXT }),
  'by the operator': async ({ deps }: MailService, { email }: Owner) => {
    await resetAdminPassword(deps, { email, password: NEXT, operator: 'root', withoutFactor: false })
    return { statusCode: 200 }
  },
}

describe.each(Object.entries(PASSWORD_CHANGES))('A password that is changed %s', (_how, changePassword) => {
  test.for(Object.entries(KINDS))('ends a link %s', async ([, ask], { service }) => {
    const owner = await givenOwner(service)
    const open = await ask(service, owner)
    expect((await changePassword(service, owner)).statusCode).toBe(200)
    expect((await open()).json().errors).toEqual({ token: [expect.any(String)] })
    expect(await stored(service, owner)).toMatchObject({ email: owner.email, pending_email: null })
    expect((await post(service.app, '/api/v1/login', { email: owner.email, password: NEXT })).statusCode).toBe(200)
  })

  test('takes back an address whose mail was not sent yet', async ({ service }) => {
    const owner = await givenOwner(service)
    await becomePending(service, owner)
    expect((await changePassword(service, owner)).statusCode).toBe(200)
    // Where a mail changes the password, the mail about the address leaves with it, just before the change.
    expect(await stored(service, owner)).toMatchObject({ email: owner.email, pending_email: null })
    const later = (await service.mailsTo(owner.pending)).length
    await support(service, owner)
    expect(await service.mailsTo(owner.pending)).toHaveLength(later)
  })
})

const ADDRESS_CHANGES = {
  'by an administrator': (service: MailService, { userId }: Owner, email: string) =>
    repair(service, { id: userId, email }),
  'by a mail': async (service: MailService, { token }: Owner, email: string) => {
    await changeOwn(service, token, { email, current_password: PASSWORD })
    return post(service.app, CONFIRM, { token: await service.tokenTo(email) })
  },
}

describe.each(Object.entries(ADDRESS_CHANGES))('An address that is changed %s', (_how, changeAddress) => {
  test.for(Object.entries(KINDS))('ends a link %s, also when it changes back', async ([, ask], { service }) => {
    const owner = await givenOwner(service)
    const open = await ask(service, owner)
    const next = `${randomUUID()}@example.com`
    expect((await changeAddress(service, owner, next)).statusCode).toBe(200)
    expect((await open()).json().errors).toEqual({ token: [expect.any(String)] })
    expect(await stored(service, owner)).toMatchObject({ email: next, pending_email: null })
    await repair(service, { id: owner.userId, email: owner.email })
    expect((await open()).json().errors).toEqual({ token: [expect.any(String)] })
  })
})

test('A link changes no address of an account that was suspended since', async ({ service }) => {
  const owner = await givenOwner(service)
  const open = await KINDS['that confirms a new address'](service, owner)
  await repair(service, { id: owner.userId, status: 'suspended' })
  expect((await open()).json().errors).toEqual({ token: [expect.any(String)] })
  expect(await stored(service, owner)).toMatchObject({ email: owner.email })
})

test.for([
  ['leave the address waiting', false],
  ['leave an address that waits already, with a new link', true],
] as const)('A password and a new address that are changed together %s', async ([, isWaiting], { service }) => {
  const owner = await givenOwner(service)
  if (isWaiting) await becomePending(service, owner)
  const both = { email: owner.pending, password: NEXT, current_password: PASSWORD }
  expect((await changeOwn(service, owner.token, both)).statusCode).toBe(200)
  expect((await get(service.app, ACCOUNT, owner.token)).json().data).toMatchObject({ pending_email: owner.pending })
  const token = await service.tokenTo(owner.pending)
  expect((await post(service.app, CONFIRM, { token })).statusCode).toBe(200)
  expect(await stored(service, owner)).toMatchObject({ email: owner.pending })
})

async function givenOwner({ app, deps }: MailService): Promise<Owner> {
  const { email, data } = await signedIn(app, deps, { role: 'moderator' })
  return { userId: data.user.id, email, pending: `${randomUUID()}@example.com`, token: data.token }
}

async function becomePending(service: MailService, { token, pending }: Owner): Promise<void> {
  const asked = await changeOwn(service, token, { email: pending, current_password: PASSWORD })
  expect(asked.json().data).toMatchObject({ pending_email: pending })
}

function changeOwn({ app }: MailService, token: string, payload: object) {
  return app.inject({ method: 'PATCH', url: ACCOUNT, headers: bearer(token), payload })
}

async function repair(service: MailService, change: Record<string, unknown>) {
  return (await givenPanel(service, 'super_admin')).patch('/user-update', change)
}

/** Asks for one more mail to confirm an address. */
async function support(service: MailService, { userId }: Owner) {
  return (await givenPanel(service, 'super_admin')).post(`/user/${userId}/mails`, { kind: 'confirm_address' })
}

function stored({ deps }: MailService, { userId }: Owner) {
  return deps.db.selectFrom('users').select(['email', 'pending_email']).where('user_id', '=', userId).executeTakeFirst()
}
