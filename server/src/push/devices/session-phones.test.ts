// Slow: a second or more for each test.
import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { bearer, get, insertAccount, PASSWORD, post } from '../../../test/support/accounts.ts'
import { readCopies, send, untilRetry } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { mailTest as test, type MailService } from '../../../test/support/mail.ts'
import { givenPanel, type Panel } from '../../../test/support/panel.ts'
import type { Answer } from '../../../test/support/faults.ts'

const DAY_MS = 86_400_000
const NEXT = 'another good password'

type Phone = { userId: number; email: string; token: string; device_id: string; push: string; elsewhere: string }

/** Every way in which the session of a phone ends. */
const ENDS: [how: string, end: (service: MailService, phone: Phone) => Promise<unknown>][] = [
  ['a logout', ({ app }, { token }) => get(app, '/api/v1/logout', token)],
  [
    'a logout that names the phone',
    ({ app }, { token, device_id }) => get(app, `/api/v1/logout?device_id=${device_id}`, token),
  ],
  ['the logout of the specification', ({ app }, { token }) => get(app, '/api/admin/v1/logout', token)],
  [
    'a sign-out everywhere else',
    (service, { elsewhere }) => call(service, 'DELETE', '/api/v1/account/sessions', elsewhere),
  ],
  [
    'its end from elsewhere',
    async (service, { elsewhere, token }) =>
      call(service, 'DELETE', `/api/v1/account/sessions/${await readSession(service, token)}`, elsewhere),
  ],
  [
    'a new password',
    (service, { elsewhere }) =>
      call(service, 'PATCH', '/api/v1/account', elsewhere, { password: NEXT, current_password: PASSWORD }),
  ],
  [
    'a reset of the password',
    async (service, { email }) => {
      await post(service.app, '/api/v1/password/forgot', { email })
      return post(service.app, '/api/v1/password/reset', { token: await service.tokenTo(email), password: NEXT })
    },
  ],
  [
    'its end by an administrator',
    async (service, { userId, token }) =>
      byAdmin(service, 'delete', `/user/${userId}/sessions/${await readSession(service, token)}`),
  ],
  [
    'a suspension that is lifted again',
    async (service, { userId }) => {
      await byAdmin(service, 'patch', '/user-update', { id: userId, status: 'suspended', status_reason: 'Spam' })
      return byAdmin(service, 'patch', '/user-update', { id: userId, status: 'active' })
    },
  ],
  [
    'a deletion that is undone',
    async (service, { userId }) => {
      await byAdmin(service, 'delete', `/user/${userId}`)
      return byAdmin(service, 'post', `/user/${userId}/restore`)
    },
  ],
  [
    '90 days without use',
    async ({ clock, deps }) => {
      await clock.setTime(deps.clock.now() + 90 * DAY_MS)
      return { statusCode: 200 }
    },
  ],
]

describe('A phone rings as long as the session lives that registered it', () => {
  test.for(ENDS)('and not after %s, until it registers again', async ([how, end], { service }) => {
    const phone = await signedInPhone(service)
    expect(await reached(service, phone)).toEqual([1, undefined])
    expect(await end(service, phone)).toMatchObject({ statusCode: 200 })
    expect((await get(service.app, '/api/v1/devices', phone.token)).statusCode).toBe(401)
    expect(await reached(service, phone)).toEqual([
      0,
      how === 'a logout that names the phone' ? 'no_device' : 'signed_out',
    ])
    await service.deps.db
      .updateTable('users')
      .set({ password_hash: await service.deps.passwords.hash(PASSWORD) })
      .where('user_id', '=', phone.userId)
      .execute()
    await register(service, { ...phone, token: await signIn(service, phone) })
    expect(await reached(service, phone)).toEqual([1, undefined])
  })

  test('also when it ends between an attempt and the next', async ({ service }) => {
    const phone = await signedInPhone(service)
    service.simulator.script([{ match: 'send', ticketErrors: { 0: 'MessageRateExceeded' } }])
    const messageId = await send(service, [{ userId: phone.userId } as never])
    await drain(service)
    await get(service.app, '/api/v1/logout', phone.token)
    await untilRetry(service)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: false, error_message: 'DeviceMoved' }])
    expect(pushesTo(service, phone)).toBe(0)
  })

  test('and no other phone falls silent, nor when the rights of an administrator end', async ({ service }) => {
    const phone = await signedInPhone(service, { role: 'admin' })
    const other = await register(service, {
      ...phone,
      token: phone.elsewhere,
      device_id: randomUUID(),
      push: `ExponentPushToken[${randomUUID()}]`,
    })
    await get(service.app, '/api/v1/logout', phone.token)
    await service.clock.setTime(service.deps.clock.now() + 2 * DAY_MS)
    expect(await reached(service, phone)).toEqual([1, undefined])
    expect([pushesTo(service, phone), pushesTo(service, other)]).toEqual([0, 1])
    const shown = (await get(service.app, '/api/v1/devices', other.token)).json().data
    expect(shown).toMatchObject([{ device_id: other.device_id }])
  })

  test('also one that told no more than its token, by an address with spaces around it', async ({ service }) => {
    const { user_id: userId, email } = await insertAccount(service.deps)
    const token = await signIn(service, { email: ` ${email} ` })
    const push = `ExponentPushToken[${randomUUID()}]`
    const answer = await call(service, 'POST', '/api/user/save-phone-token', token, { token: push })
    const device_id = await readSession(service, token)
    expect(answer.json().data).toEqual({ device_id, platform: 'unknown' })
    const phone = { userId, email, token, push, device_id, elsewhere: token }
    expect(await reached(service, phone)).toEqual([1, undefined])
    expect(pushesTo(service, phone)).toBe(1)
  })

  test('and a preview counts who has none as signed out', async ({ service }) => {
    const { headers } = await service.given.admin()
    const { headers: own } = await service.given.user({ devices: [{}] })
    const preview = async () => {
      const url = '/api/admin/send-notification-all/preview'
      const payload = { title: 'Hi', text: 'There' }
      const answer = await service.app.inject({ method: 'POST', url, headers, payload })
      const { users, devices, skipped } = answer.json().data
      return [users, devices.total, skipped.signed_out, skipped.no_device]
    }
    const [users, devices, signedOut, noDevice] = await preview()
    await service.app.inject({ url: '/api/v1/logout', headers: own })
    expect(await preview()).toEqual([users - 1, devices - 1, signedOut + 1, noDevice])
  })
})

async function signedInPhone(service: MailService, change: Parameters<typeof insertAccount>[1] = {}): Promise<Phone> {
  const { user_id: userId, email } = await insertAccount(service.deps, change)
  const [token, elsewhere] = [await signIn(service, { email }), await signIn(service, { email })]
  return register(service, {
    userId,
    email,
    token,
    elsewhere,
    device_id: randomUUID(),
    push: `ExponentPushToken[${randomUUID()}]`,
  })
}

async function signIn({ app }: MailService, { email }: { email: string }): Promise<string> {
  return (await post(app, '/api/v1/login', { email, password: PASSWORD })).json().data.token
}

async function register(service: MailService, phone: Phone): Promise<Phone> {
  const { token, push, device_id } = phone
  const answer = await call(service, 'POST', '/api/user/save-phone-token', token, {
    token: push,
    device_id,
    platform: 'ios',
  })
  expect(answer.statusCode).toBe(200)
  return phone
}

/** How many pushes a send to the person made, and why it reached nobody. */
async function reached(service: MailService, { userId }: Phone): Promise<unknown[]> {
  const messageId = await send(service, [{ userId } as never])
  await drain(service)
  const skips = service.deps.db.selectFrom('skips').select('reason').where('message_id', '=', messageId)
  return [
    (await readCopies(service, messageId)).filter(({ is_send }) => is_send).length,
    (await skips.executeTakeFirst())?.reason,
  ]
}

function pushesTo({ simulator }: MailService, { push }: Phone): number {
  return simulator.log().filter(({ token }) => token === push).length
}

async function readSession({ deps }: MailService, token: string): Promise<string> {
  return (await deps.sessions.authenticate(token)).sessionId
}

async function byAdmin(
  service: MailService,
  method: 'post' | 'patch' | 'delete',
  path: string,
  payload?: Record<string, unknown>,
) {
  const panel: Panel = await givenPanel(service)
  return panel[method](path, payload!)
}

function call(
  { app }: MailService,
  method: 'POST' | 'PATCH' | 'DELETE',
  url: string,
  token: string,
  payload?: object,
): Promise<Answer> {
  return app.inject({ method, url, headers: bearer(token), ...(payload && { payload }) })
}
