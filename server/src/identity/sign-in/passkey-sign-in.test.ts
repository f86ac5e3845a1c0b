// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { PASSWORD, post } from '../../../test/support/accounts.ts'
import { test } from '../../../test/support/app.ts'
import { createAuthenticator } from '../../../test/support/authenticator.ts'
import { readCode, secondStep } from '../../../test/support/factors.ts'
import {
  addAnother,
  answerAtPanel,
  askedAtPanel,
  readAudit,
  givenPasskey,
  later,
  pendingAtPanel,
  PASSKEYS,
  remove,
  signInWithPasskey,
  type PasskeyOwner,
} from '../../../test/support/passkeys.ts'
import { startService } from '../../../test/support/service.ts'

const WRONG = 'INVALID_PASSKEY'
const MINUTE_MS = 60_000

describe('A passkey at a sign-in', () => {
  test('opens a session after the password, at the panel, and tells the audit log', async ({ service }) => {
    const owner = await givenPasskey(service)
    const waiting = await post(service.app, '/api/v1/login', { email: owner.email, password: PASSWORD })
    expect([waiting.statusCode, waiting.json().data.factors]).toEqual([202, ['passkey', 'recovery']])
    const answer = await signInWithPasskey(service, owner)
    expect(answer.json().data.user).toMatchObject({ id: owner.userId, lacks_second_factor: false })
    expect(answer.headers['set-cookie']).toMatch(/^swapbell_session=.+HttpOnly; SameSite=Strict/)
    expect(answer.body).not.toContain('"token"')
    expect((await readAudit(service, owner.userId))[0]).toMatchObject({ after: { second_factor: 'passkey' } })
    const list = await service.app.inject({ url: PASSKEYS, headers: owner.headers })
    expect(list.json().data.passkeys[0].last_used_at).toEqual(expect.any(String))
    const token = waiting.json().data.pending_token
    const signed = owner.authenticator.sign(await askedAtPanel(service, token))
    expect((await answerAtPanel(service, token, signed)).headers['set-cookie']).toContain(`; Max-Age=${12 * 3_600};`)
  })

  test('is not the only one: a code of the account’s recovery codes is the other', async ({ service }) => {
    const owner = await givenPasskey(service)
    const token = await pendingAtPanel(service, owner)
    expect(await readCode(secondStep(service, token, owner.recoveryCodes[0]!))).toBe('OK')
  })

  test('is refused at a sign-in for another origin, challenge, type, signature or account, and each try is audited', async ({
    service,
  }) => {
    const [owner, other] = [await givenPasskey(service), await givenPasskey(service)]
    for (const lie of [{ origin: 'http://localhost:81' }, { challenge: 'A'.repeat(43) }, { type: 'webauthn.create' }])
      expect.soft(await readCode(signInWithPasskey(service, owner, lie)), JSON.stringify(lie)).toBe(WRONG)
    const token = await pendingAtPanel(service, owner)
    const signed = owner.authenticator.sign(await askedAtPanel(service, token))
    const forged = {
      ...signed,
      signature: other.authenticator.sign(await askedAtPanel(service, await pendingAtPanel(service, other))).signature,
    }
    await askedAtPanel(service, token)
    expect(await readCode(answerAtPanel(service, token, forged))).toBe(WRONG)
    // The passkey of another account, for a challenge of this one.
    const theirs = await askedAtPanel(service, await pendingAtPanel(service, other))
    const asked = await askedAtPanel(service, token)
    const answered = other.authenticator.sign({ ...theirs, challenge: asked.challenge })
    expect(await readCode(answerAtPanel(service, token, answered))).toBe(WRONG)
    expect((await readAudit(service, owner.userId))[0]).toMatchObject({ action: 'login_failed' })
    // The sign-in still stands.
    const last = owner.authenticator.sign(await askedAtPanel(service, token))
    expect(await readCode(answerAtPanel(service, token, last))).toBe('OK')
  })

  test('signs each challenge once, and a challenge ends with its sign-in', async ({ service }) => {
    const owner = await givenPasskey(service)
    const token = await pendingAtPanel(service, owner)
    expect(await readCode(answerAtPanel(service, token, owner.authenticator.sign(await unasked(owner))))).toBe(WRONG)
    const first = owner.authenticator.sign(await askedAtPanel(service, token))
    const second = owner.authenticator.sign(await askedAtPanel(service, token))
    // The second challenge took the place of the first, and the try used it up.
    expect(await readCode(answerAtPanel(service, token, first))).toBe(WRONG)
    expect(await readCode(answerAtPanel(service, token, second))).toBe(WRONG)
    const third = owner.authenticator.sign(await askedAtPanel(service, token))
    const both = [answerAtPanel(service, token, third), answerAtPanel(service, token, third)].map(readCode)
    expect((await Promise.all(both)).filter((code) => code === 'OK')).toHaveLength(1)
    expect(await readCode(answerAtPanel(service, token, third))).toBe('SIGN_IN_EXPIRED')
    const late = await pendingAtPanel(service, owner)
    const signed = owner.authenticator.sign(await askedAtPanel(service, late))
    await later(service, 5 * MINUTE_MS)
    expect(await readCode(answerAtPanel(service, late, signed))).toBe('SIGN_IN_EXPIRED')
  })

  test('that has counted fewer uses than before is refused and audited; one that counts none is not', async ({
    service,
  }) => {
    const owner = await givenPasskey(service)
    expect(await readCode(signInWithPasskey(service, owner, { count: 9 }))).toBe('OK')
    for (const count of [9, 8, 0])
      expect(await readCode(signInWithPasskey(service, owner, { count }))).toBe('PASSKEY_BEHIND')
    expect((await readAudit(service, owner.userId))[0]).toMatchObject({ action: 'passkey.behind' })
    expect(await readCode(signInWithPasskey(service, owner, { count: 10 }))).toBe('OK')
    const plain = await givenPasskey(service, {
      authenticator: createAuthenticator('http://localhost', { counts: false }),
    })
    for (const count of [0, 0]) expect(await readCode(signInWithPasskey(service, plain, { count }))).toBe('OK')
  })

  test('that was removed signs nobody in, and with the last one goes the second factor', async ({ service }) => {
    const { deps, app } = service
    const owner = await givenPasskey(service)
    await addAnother(service, owner)
    const token = await pendingAtPanel(service, owner)
    const signed = owner.authenticator.sign(await askedAtPanel(service, token))
    expect((await remove(service, owner)).statusCode).toBe(200)
    expect(await readCode(answerAtPanel(service, token, signed))).toBe(WRONG)
    expect(await readCode(signInWithPasskey(service, owner))).toBe('OK')
    const [left] = (await app.inject({ url: PASSKEYS, headers: owner.headers })).json().data.passkeys
    expect((await remove(service, { ...owner, passkeyId: left.id })).statusCode).toBe(200)
    expect((await post(app, '/api/v1/login', { email: owner.email, password: PASSWORD })).statusCode).toBe(200)
    const codes = deps.db.selectFrom('recovery_codes').selectAll().where('user_id', '=', owner.userId)
    expect(await codes.execute()).toEqual([])
    expect((await remove(service, owner)).statusCode).toBe(404)
    const entries = (await readAudit(service, owner.userId)).map(({ action }) => action)
    expect(entries.filter((action) => action.startsWith('passkey.'))).toEqual([
      'passkey.remove',
      'passkey.remove',
      'passkey.add',
      'passkey.add',
    ])
  })
})

/** A challenge that nobody gave out. */
async function unasked({ authenticator }: PasskeyOwner) {
  const options = { challenge: 'A'.repeat(43), rp: { id: 'localhost' } }
  const { id } = authenticator.create(options)
  return { challenge: options.challenge, rpId: 'localhost', allowCredentials: [{ id }] }
}

test('Wrong passkeys are limited by the site they come from, and lock nobody else out', async () => {
  const service = await startService({
    RATE_LIMITS: 'on',
    TRUSTED_PROXIES: ['127.0.0.1'],
    RATE_LIMIT_OVERRIDES: { login: { calls: 1_000, seconds: 60 } },
  })
  try {
    const owner = await givenPasskey(service)
    const token = await pendingAtPanel(service, owner)
    const signed = owner.authenticator.sign(await askedAtPanel(service, token))
    const wrong = { ...signed, signature: 'AAAA' }
    const from = (ip: string) =>
      service.app.inject({
        method: 'POST',
        url: '/api/admin/v1/session/passkey',
        payload: { pending_token: token, passkey: wrong },
        headers: { 'x-forwarded-for': ip },
      })
    const tries = await Promise.all(Array.from({ length: 12 }, () => readCode(from('198.51.100.7'))))
    expect(tries.filter((code) => code === WRONG)).toHaveLength(10)
    expect(tries.filter((code) => code === 'RATE_LIMITED')).toHaveLength(2)
    expect(await readCode(signInWithPasskey(service, owner))).toBe('OK')
  } finally {
    await service.close()
  }
})
