// Slow: a second or more for each test, or five for the file.
import { describe, expect, onTestFinished } from 'vitest'
import { get, PASSWORD, post, signedIn } from '../../../test/support/accounts.ts'
import { test as withoutMail } from '../../../test/support/app.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import { mailTest as test, startMailService, type MailService } from '../../../test/support/mail.ts'
import { givenPanel, tally } from '../../../test/support/panel.ts'

const NEXT = 'another good password'

describe('A mail that support sends', () => {
  test('has a link for a new password, which its owner alone sees; the audit log names who sent it', async ({
    service,
  }) => {
    const { panel, id, email } = await given(service)
    const sent = await panel.post(`/user/${id}/mails`, { kind: 'new_password' })
    expect(sent.statusCode).toBe(202)
    expect(sent.json().data).toEqual({ user_id: id, kind: 'new_password' })
    const token = await service.tokenTo(email)
    expect(sent.body).not.toContain(token)
    expect((await post(service.app, '/api/v1/password/reset', { token, password: NEXT })).statusCode).toBe(200)
    expect((await post(service.app, '/api/v1/login', { email, password: NEXT })).statusCode).toBe(200)
    const { data } = (await panel.get(`/audit-log?entity=user&entity_id=${id}&action=user.mail`)).json()
    expect(data).toMatchObject([{ actor: { user_id: panel.user.userId }, after: { mail: 'new_password' } }])
  })

  test('asks again to confirm an address, unless it is confirmed', async ({ service }) => {
    const { panel, id, email } = await given(service)
    expect((await panel.post(`/user/${id}/mails`, { kind: 'confirm_address' })).statusCode).toBe(202)
    const token = await service.tokenTo(email)
    expect((await post(service.app, '/api/v1/email/confirm', { token })).statusCode).toBe(200)
    expectError(await panel.post(`/user/${id}/mails`, { kind: 'confirm_address' }), 409, 'INVALID_STATE')
  })

  test('is refused for who is barred, for an equal, for nobody, and for a kind that does not exist', async ({
    service,
  }) => {
    const { panel, id } = await given(service)
    await panel.patch('/user-update', { id, status: 'banned' })
    expectError(await panel.post(`/user/${id}/mails`, { kind: 'new_password' }), 409, 'INVALID_STATE')
    const equal = await service.given.admin()
    expectError(await panel.post(`/user/${equal.userId}/mails`, { kind: 'new_password' }), 403, 'FORBIDDEN')
    expectError(await panel.post('/user/999999999/mails', { kind: 'new_password' }), 404, 'NOT_FOUND')
    expectInvalid(await panel.post(`/user/${id}/mails`, { kind: 'news' }), 'kind')
    const moderator = await givenPanel(service, 'moderator')
    expectError(await moderator.post(`/user/${id}/mails`, { kind: 'new_password' }), 403, 'FORBIDDEN')
  })

  withoutMail('is 503 where no mail is set up', async ({ service }) => {
    const [panel, user] = [await givenPanel(service), await service.given.user()]
    const answer = await panel.post(`/user/${user.userId}/mails`, { kind: 'new_password' })
    expect(answer.statusCode).toBe(503)
  })

  test('beyond the limit of an address is refused, and says so', async () => {
    const service = await startMailService({ RATE_LIMITS: 'on' })
    onTestFinished(() => service.close())
    const { panel, id } = await given(service)
    const send = () => panel.post(`/user/${id}/mails`, { kind: 'new_password' })
    const answers = []
    for (let round = 0; round < 5; round++) answers.push(await send())
    expect(tally(answers)).toEqual({ 202: 3, 409: 2 })
    const { data } = (await panel.get(`/audit-log?entity=user&entity_id=${id}&action=user.mail`)).json()
    expect(data).toHaveLength(3)
  })
})

describe('DELETE /api/admin/v1/user/{id}/sessions', () => {
  test('signs out everywhere at once, and tells where the sessions were before', async ({ service }) => {
    const { panel, id, headers } = await given(service)
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const { email } = (await panel.get(`/user-profile?id=${id}`)).json().data
    const login = await service.app.inject({
      method: 'POST',
      url: '/api/v1/login',
      remoteAddress: '203.0.113.77',
      headers: { 'user-agent': agent },
      payload: { email, password: PASSWORD },
    })
    const { token } = login.json().data
    const { sessions } = (await panel.get(`/user-profile?id=${id}`)).json().data
    expect(sessions).toHaveLength(2)
    expect(sessions).toContainEqual(expect.objectContaining({ device: 'Firefox on Linux', network: '203.0.113.0/24' }))
    const ended = await panel.delete(`/user/${id}/sessions`)
    expect(ended.json().data).toEqual({ user_id: id })
    for (const used of [headers.slice(7), token])
      expect((await get(service.app, '/api/v1/account', used)).statusCode).toBe(401)
    expect((await panel.get(`/user-profile?id=${id}`)).json().data.sessions).toEqual([])
    const { data } = (await panel.get(`/audit-log?entity=user&entity_id=${id}&action=user.session-end`)).json()
    expect(data).toMatchObject([{ actor: { user_id: panel.user.userId }, after: { sessions: 'all' } }])
  })

  test('is refused for an equal, for nobody, and to a moderator', async ({ service }) => {
    const { panel, id, headers } = await given(service)
    const equal = await service.given.admin()
    expectError(await panel.delete(`/user/${equal.userId}/sessions`), 403, 'FORBIDDEN')
    expectError(await panel.delete('/user/999999999/sessions'), 404, 'NOT_FOUND')
    expectInvalid(await panel.delete('/user/none/sessions'), 'id')
    const moderator = await givenPanel(service, 'moderator')
    expectError(await moderator.delete(`/user/${id}/sessions`), 403, 'FORBIDDEN')
    expect((await get(service.app, '/api/v1/account', headers.slice(7))).statusCode).toBe(200)
  })
})

describe('Failed sign-ins on a profile', () => {
  test('are all of the day, from known places too, also those that were refused', async () => {
    const service = await startMailService({ RATE_LIMITS: 'on' })
    onTestFinished(() => service.close())
    const { panel, id, email } = await given(service)
    const failures = async () => (await panel.get(`/user-profile?id=${id}`)).json().data.failed_sign_ins
    expect(await failures()).toBe(0)
    const wrong = { email, password: 'a wrong password' }
    // A login was made from here, so the place is known.
    const tries = []
    for (let round = 0; round < 12; round++) tries.push(await post(service.app, '/api/v1/login', wrong))
    expect(tally(tries)).toEqual({ 401: 10, 429: 2 })
    expect(await failures()).toBe(12)
    const elsewhere = { method: 'POST', url: '/api/v1/login', remoteAddress: '203.0.113.77' } as const
    await service.app.inject({ ...elsewhere, payload: { email, password: PASSWORD } })
    expect(await failures()).toBe(12)
  })

  withoutMail('are null where nothing is counted', async ({ service }) => {
    const [panel, user] = [await givenPanel(service), await service.given.user()]
    expect((await panel.get(`/user-profile?id=${user.userId}`)).json().data.failed_sign_ins).toBeNull()
  })
})

/** An administrator, and somebody who registered. */
async function given(service: MailService) {
  const panel = await givenPanel(service)
  const { email, data } = await signedIn(service.app, service.deps)
  const { token, user } = data as { token: string; user: { user_id: number } }
  return { panel, email, id: user.user_id, headers: `Bearer ${token}` }
}
