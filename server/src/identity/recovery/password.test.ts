// Slow: a second or more for each test, or five for the file.
import { describe, expect, onTestFinished } from 'vitest'
import { get, insertAccount, PASSWORD, post, signedIn } from '../../../test/support/accounts.ts'
import { test as withoutMail } from '../../../test/support/app.ts'
import { mailTest as test, startMailService, type MailService } from '../../../test/support/mail.ts'
import { givenPanel } from '../../../test/support/panel.ts'

const FORGOT = '/api/v1/password/forgot'
const RESET = '/api/v1/password/reset'
const LOGIN = '/api/v1/login'
const NEXT = 'another good password'
const MINUTE_MS = 60_000

describe('A forgotten password', () => {
  test('is replaced by the link of a mail; every session ends, and the owner gets a mail', async ({ service }) => {
    const { app, deps, mailbox } = service
    const { email, data } = await signedIn(app, deps)
    await deps.db.updateTable('users').set({ language: 'de-AT' }).where('email', '=', email).execute()
    expect((await post(app, FORGOT, { email: email.toUpperCase() })).statusCode).toBe(202)
    const [mail] = await service.mailsTo(email)
    expect(mail).toMatchObject({
      from: 'no-reply@swapbell.example',
      to: [email],
      subject: 'Ein neues Passwort für Swapbell',
    })
    expect(mail?.text).toMatch(/\nhttps:\/\/swapbell\.example\/reset-password#token=[\w-]{43}\n/)
    const token = await service.tokenTo(email)

    expect((await post(app, RESET, { token, password: NEXT })).statusCode).toBe(200)
    expect((await post(app, LOGIN, { email, password: NEXT })).statusCode).toBe(200)
    expect((await post(app, LOGIN, { email, password: PASSWORD })).statusCode).toBe(401)
    expect((await get(app, '/api/v1/account', data.token)).statusCode).toBe(401)
    expect((await service.mailsTo(email)).at(-1)?.subject).toBe('Dein Passwort für Swapbell wurde geändert')
    expect(service.logged()).not.toContain(token)
    expect(JSON.stringify(await deps.db.selectFrom('mails').selectAll().execute())).not.toContain(token)
    expect(new Set(mailbox.mails().map(({ messageId }) => messageId)).size).toBe(mailbox.mails().length)
  })

  test('by a token that was used, replaced by another reset, or is old: 422 on token', async ({ service }) => {
    const { app } = service
    const email = await forgotten(service)
    const first = await service.tokenTo(email)
    await post(app, FORGOT, { email })
    const second = await service.tokenTo(email)
    expect(second).not.toBe(first)
    expect((await post(app, RESET, { token: first, password: NEXT })).statusCode).toBe(200)
    for (const token of [first, second]) await expectDead(service, token)

    const other = await forgotten(service)
    const late = await service.tokenTo(other)
    await service.clock.setTime(service.clock.now() + 30 * MINUTE_MS - 1_000)
    expect((await post(app, RESET, { token: late, password: 'short' })).json().errors).toHaveProperty('password')
    await service.clock.setTime(service.clock.now() + 1_000)
    await expectDead(service, late)
    await expectDead(service, 'A'.repeat(43))
  })

  test('of two resets at once by one token, one wins', async ({ service }) => {
    const email = await forgotten(service)
    const token = await service.tokenTo(email)
    const passwords = Array.from({ length: 4 }, (_, n) => `${NEXT} ${n}`)
    const answers = await Promise.all(passwords.map((password) => post(service.app, RESET, { token, password })))
    expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422])
    const winner = passwords[answers.findIndex((answer) => answer.statusCode === 200)]
    expect((await post(service.app, LOGIN, { email, password: winner })).statusCode).toBe(200)
  })

  test('is asked for by everybody with the same answer and the same work; nobody else gets a mail', async ({
    service,
  }) => {
    const { app, deps, mailbox } = service
    const known = (await insertAccount(deps)).email
    const unknown = 'nobody@example.com'
    const gone = (await insertAccount(deps, { deleted_at: new Date() })).email
    const barred = (await insertAccount(deps, { status: 'banned' })).email
    await service.deliver()
    mailbox.clear()
    const answers = []
    for (const email of [known, unknown, gone, barred]) {
      const before = await deps.db.selectFrom('mails').select('mail_id').execute()
      const answer = await post(app, FORGOT, { email })
      const after = await deps.db.selectFrom('mails').selectAll().orderBy('mail_id').execute()
      // Both requests store the same: the service looks for the account only later.
      expect(after.length - before.length).toBe(1)
      expect(after.at(-1)).toMatchObject({
        kind: 'password_forgotten',
        user_id: null,
        address: email,
        status: 'waiting',
      })
      const { 'x-request-id': _id, date: _date, ...headers } = answer.headers
      answers.push({ status: answer.statusCode, body: answer.body, headers })
    }
    for (const answer of answers) expect(answer).toEqual(answers[0])
    await service.deliver()
    expect(mailbox.mails().map(({ to }) => to)).toEqual([[known]])
    const left = await deps.db.selectFrom('mails').select('address').where('kind', '=', 'password_forgotten').execute()
    for (const email of [unknown, gone, barred]) expect(left.map(({ address }) => address)).not.toContain(email)
  })

  test('does not open an account that was barred, deleted, or given another address since', async ({ service }) => {
    const changes = [{ status: 'banned' }, { deleted_at: new Date() }, { email: 'moved@example.com' }] as const
    for (const change of changes) {
      const email = await forgotten(service)
      const token = await service.tokenTo(email)
      await service.deps.db.updateTable('users').set(change).where('email', '=', email).execute()
      await expectDead(service, token)
    }
  })

  test('of an administrator has 12 characters, and leaves an audit entry; the token survives a short one', async ({
    service,
  }) => {
    const { app, deps } = service
    const { email, user_id } = await insertAccount(deps, { role: 'moderator' })
    await post(app, FORGOT, { email })
    const token = await service.tokenTo(email)
    const short = await post(app, RESET, { token, password: 'eleven char' })
    expect([short.statusCode, Object.keys(short.json().errors)]).toEqual([422, ['password']])
    expect((await post(app, RESET, { token, password: NEXT })).statusCode).toBe(200)
    const panel = await givenPanel(service)
    const { data } = (await panel.get(`/audit-log?action=password.reset&entity_id=${user_id}`)).json()
    expect(data).toMatchObject([{ actor: { user_id, role: 'moderator' }, after: { password: 'changed' } }])
  })

  test('is limited: three mails to an address in 15 minutes with the same answer, ten calls of a network an hour', async () => {
    const service = await startMailService({ RATE_LIMITS: 'on' })
    onTestFinished(() => service.close())
    const { email } = await insertAccount(service.deps)
    const statuses = []
    for (let call = 0; call < 11; call++) {
      statuses.push((await post(service.app, FORGOT, { email })).statusCode)
      await service.deliver()
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 202), 429])
    expect(service.mailbox.mails()).toHaveLength(3)
    // Each of the mails works, also when no further mail is sent.
    await service.clock.setTime(service.clock.now() + 14 * MINUTE_MS)
    expect((await post(service.app, RESET, { token: await service.tokenTo(email), password: NEXT })).statusCode).toBe(
      200,
    )
  })

  test('that others can guess is refused, and the token stays', async ({ service }) => {
    const email = await forgotten(service)
    const token = await service.tokenTo(email)
    for (const password of [email, email.split('@')[0] ?? '', 'Swapbell1', 'abcabcabc', '1qaz2wsx', 'iloveyou1']) {
      const answer = await post(service.app, RESET, { token, password })
      expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['password']])
    }
    expect((await post(service.app, RESET, { token, password: NEXT })).statusCode).toBe(200)
  })

  withoutMail('is 503 where the service sends no mail', async ({ app, deps }) => {
    const answer = await post(app, FORGOT, { email: 'somebody@example.com' })
    expect([answer.statusCode, answer.json().error]).toEqual([503, expect.stringContaining('sends no mail')])
    expect(await deps.db.selectFrom('mails').selectAll().execute()).toEqual([])
  })
})

/** Somebody who has asked for a mail. */
async function forgotten({ app, deps }: MailService): Promise<string> {
  const { email } = await insertAccount(deps)
  expect((await post(app, FORGOT, { email })).statusCode).toBe(202)
  return email
}

async function expectDead({ app }: MailService, token: string): Promise<void> {
  const answer = await post(app, RESET, { token, password: NEXT })
  expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['token']])
}
