// Slow: a second or more for each test, or five for the file.
import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished } from 'vitest'
import { bearer, get, insertAccount, PASSWORD, post, signedIn } from '../../../test/support/accounts.ts'
import { mailTest as test, startMailService, type MailService } from '../../../test/support/mail.ts'
import { givenPanel } from '../../../test/support/panel.ts'

const ACCOUNT = '/api/v1/account'
const CONFIRM = '/api/v1/email/confirm'
const MINUTE_MS = 60_000
const AGAIN = '/api/v1/account/confirm-email'

describe('An address', () => {
  test('is confirmed by the mail that registration causes, once; the mail can be sent again', async ({ service }) => {
    const { app } = service
    const email = `${randomUUID()}@example.com`
    const registered = await post(app, '/api/v1/register', { email, password: PASSWORD, name: 'Buy at evil.example' })
    const { token } = registered.json().data
    const [mail] = await service.mailsTo(email)
    expect(mail?.text).toContain('https://swapbell.example/confirm-email#token=')
    expect(JSON.stringify(mail)).not.toContain('evil')
    expect((await get(app, ACCOUNT, token)).json().data).toMatchObject({ email_verified: false, pending_email: null })
    const first = await service.tokenTo(email)
    expect((await again(service, token)).statusCode).toBe(202)
    const second = await service.tokenTo(email)
    expect((await post(app, CONFIRM, { token: second })).statusCode).toBe(200)
    expect((await get(app, ACCOUNT, token)).json().data).toMatchObject({ email_verified: true })
    expect((await again(service, token)).json().code).toBe('INVALID_STATE')
    // Links that are opened again, and the other one about the same address, change nothing.
    for (const link of [second, first, first]) expect((await post(app, CONFIRM, { token: link })).statusCode).toBe(200)
    await service.clock.setTime(service.clock.now() + 30 * MINUTE_MS)
    await expectDead(service, first)
  })

  test('of one’s own account changes when the new one is confirmed; the old one gets a mail', async ({ service }) => {
    const { app, deps } = service
    const { email, data } = await signedIn(app, deps)
    const next = `${randomUUID()}@example.com`
    const asked = await change(service, data.token, next)
    expect([asked.statusCode, asked.json().data]).toMatchObject([200, { email, pending_email: next }])
    expect(await service.mailsTo(email)).toHaveLength(0)
    const token = await service.tokenTo(next)
    expect((await post(app, '/api/v1/login', { email, password: PASSWORD })).statusCode).toBe(200)
    expect((await post(app, CONFIRM, { token })).statusCode).toBe(200)
    expect((await get(app, ACCOUNT, data.token)).json().data).toMatchObject({
      email: next,
      pending_email: null,
      email_verified: true,
    })
    expect((await post(app, '/api/v1/login', { email: next, password: PASSWORD })).statusCode).toBe(200)
    expect((await service.mailsTo(email)).map(({ subject }) => subject)).toEqual(['Your e-mail address was changed'])
  })

  test('does not change by the link of an earlier request, nor if somebody else has it now', async ({ service }) => {
    const { app, deps } = service
    const { email, data } = await signedIn(app, deps)
    const [one, other] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`]
    await change(service, data.token, one)
    const first = await service.tokenTo(one)
    await change(service, data.token, other)
    await expectDead(service, first)
    const second = await service.tokenTo(other)
    await deps.db
      .updateTable('users')
      .set({ email: other })
      .where('email', '=', (await insertAccount(deps)).email)
      .execute()
    expect((await post(app, CONFIRM, { token: second })).json()).toMatchObject({
      code: 'DUPLICATE',
      errors: { email: [expect.any(String)] },
    })
    expect((await get(app, ACCOUNT, data.token)).json().data).toMatchObject({ email, pending_email: other })
    expect((await change(service, data.token, (await insertAccount(deps)).email)).json().code).toBe('DUPLICATE')
    // Back to the present one.
    expect((await change(service, data.token, email)).json().data).toMatchObject({ email, pending_email: null })
    await expectDead(service, second)
  })

  test('of a stranger gets few mails, however often and by whatever call somebody causes them', async () => {
    const service = await startMailService({ RATE_LIMITS: 'on' })
    onTestFinished(() => service.close())
    const { app, deps, mailbox } = service
    const stranger = 'stranger@example.com'
    for (let account = 0; account < 4; account++) {
      const { data } = await signedIn(app, deps)
      for (let flip = 0; flip < 2; flip++) {
        for (const address of [stranger, `stranger+${account}${flip}@example.com`]) {
          expect((await change(service, data.token, address)).statusCode).toBe(200)
          await service.deliver()
        }
      }
      if (account % 2 === 1) await service.clock.setTime(service.clock.now() + 16 * MINUTE_MS)
    }
    const sent = mailbox.mails().filter(({ to }) => to.some((address) => address.startsWith('stranger')))
    expect(sent).toHaveLength(6)
    expect(await deps.db.selectFrom('mails').select('mail_id').execute()).toHaveLength(6)
  })

  test.for<[string[], number]>([
    [
      ['victim@gmail.com', 'v.ictim@gmail.com', 'vi.c.tim+a@GoogleMail.com', 'v.i.ctim@gmail.com', 'VICTI.M@gmail.com'],
      3,
    ],
    [['vic.tim@example.com', 'victim@example.com', 'v.ictim@example.com', 'vi.ctim@example.com'], 4],
  ])('is one mailbox in all spellings that its host takes for one: %j', async ([spellings, mails]) => {
    const service = await startMailService({ RATE_LIMITS: 'on' })
    onTestFinished(() => service.close())
    for (const email of spellings)
      expect((await post(service.app, '/api/v1/password/forgot', { email })).statusCode).toBe(202)
    expect(await service.deps.db.selectFrom('mails').select('address').execute()).toHaveLength(mails)
  })

  test('that an administrator changes is changed at once, and both addresses hear of it', async ({ service }) => {
    const panel = await givenPanel(service, 'super_admin')
    const { email, user_id: id } = await insertAccount(service.deps)
    const next = `${randomUUID()}@example.com`
    expect((await panel.patch('/user-update', { id, email: next })).statusCode).toBe(200)
    expect((await service.mailsTo(email)).map(({ subject }) => subject)).toEqual(['Your e-mail address was changed'])
    expect((await service.mailsTo(next)).map(({ subject }) => subject)).toEqual(['Confirm your e-mail address'])
  })
})

test('the owner of a changed password gets a mail', async ({ service }) => {
  const { email, data } = await signedIn(service.app, service.deps)
  const payload = { password: 'another good password', current_password: PASSWORD }
  expect(
    (await service.app.inject({ method: 'PATCH', url: ACCOUNT, headers: bearer(data.token), payload })).statusCode,
  ).toBe(200)
  expect((await service.mailsTo(email)).map(({ subject }) => subject)).toEqual(['Your Swapbell password was changed'])
})

function change({ app }: MailService, token: string, email: string) {
  const payload = { email, current_password: PASSWORD }
  return app.inject({ method: 'PATCH', url: ACCOUNT, headers: bearer(token), payload })
}

function again({ app }: MailService, token: string) {
  return app.inject({ method: 'POST', url: AGAIN, headers: bearer(token) })
}

async function expectDead({ app }: MailService, token: string): Promise<void> {
  expect((await post(app, CONFIRM, { token })).json().errors).toEqual({ token: [expect.any(String)] })
}
