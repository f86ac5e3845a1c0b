// Slow: a second or more for each test, or five for the file.
import { describe, expect, test as plain } from 'vitest'
import { get, PASSWORD, post, signedIn } from '../../../test/support/accounts.ts'
import { test } from '../../../test/support/app.ts'
import { createAttestation, certificates, createAuthenticator } from '../../../test/support/authenticator.ts'
import { createCodeApp, readCode } from '../../../test/support/factors.ts'
import {
  addAnother,
  readAudit,
  givenPasskey,
  later,
  own,
  PASSKEYS,
  remove,
  show,
  signInWithPasskey,
  startPasskey,
  type PasskeyOwner,
} from '../../../test/support/passkeys.ts'
import { startService } from '../../../test/support/service.ts'
import { forgetChores } from '../../housekeeping.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { findRelyingParty } from '../second-factor/relying-party.ts'
import { removeAllFactors } from '../second-factor/second-factor.ts'

const FACTOR = '/api/v1/account/second-factor'
const WHO = '/api/admin/v1/check-token'
const WRONG = 'INVALID_PASSKEY'
const MINUTE_MS = 60_000

describe('A passkey', () => {
  test('is added with the password, gives recovery codes once, ends other sessions, and its key is never shown', async ({
    service,
  }) => {
    const { app, deps } = service
    const { email, data } = await signedIn(app, deps, { role: 'moderator' })
    const other = (await post(app, '/api/v1/login', { email, password: PASSWORD })).json().data.token
    const headers = { authorization: `Bearer ${data.token}` }
    for (const proof of [{}, { current_password: 'wrong horse' }]) {
      const refused = await startPasskey(service, headers, proof)
      expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['current_password']])
    }
    const options = (await startPasskey(service, headers, { current_password: PASSWORD })).json().data
    expect(options).toMatchObject({ rp: { id: 'localhost' }, user: { name: email }, attestation: 'none' })
    const credential = createAuthenticator().create(options)
    const added = (await own(service, headers, 'passkeys', { name: 'Laptop', credential })).json().data
    expect(added.passkey).toMatchObject({ name: 'Laptop', last_used_at: null })
    expect(new Set(added.recovery_codes).size).toBe(10)
    expect((await get(app, WHO, other)).statusCode).toBe(401)
    const list = await app.inject({ url: PASSKEYS, headers })
    expect(list.json().data).toEqual({ is_available: true, passkeys: [added.passkey] })
    const stored = await deps.db.selectFrom('passkeys').selectAll().where('user_id', '=', data.user.id).execute()
    expect(stored).toMatchObject([{ sign_count: 1, transports: ['internal'], credential_id: expect.any(Buffer) }])
    const actions = (await readAudit(service, data.user.id)).map(({ action }) => action)
    expect(actions.slice(0, 1)).toEqual(['passkey.add'])
  })

  test('is refused when its challenge was used before or is old, or another origin, type or attestation is in it', async ({
    service,
  }) => {
    const { app, deps } = service
    const { data } = await signedIn(app, deps, { role: 'admin' })
    const headers = { authorization: `Bearer ${data.token}` }
    const authenticator = createAuthenticator()
    const begin = async () => (await startPasskey(service, headers, { current_password: PASSWORD })).json().data
    const finish = async (credential: object) => {
      const answer = await own(service, headers, 'passkeys', { name: 'Laptop', credential })
      return answer.statusCode === 422 ? Object.keys(answer.json().errors).join() : answer.statusCode
    }
    const packed = createAttestation('packed', certificates(Buffer.from('http://127.0.0.1')), Buffer.alloc(200))
    for (const lie of [
      { origin: 'https://evil.example' },
      { type: 'webauthn.get' },
      { challenge: 'A'.repeat(43) },
      { attestation: packed },
      { attestation: Buffer.from([0xff, 0x00]) },
    ])
      expect.soft(await finish(authenticator.create(await begin(), lie)), JSON.stringify(lie)).toBe('credential')
    const late = authenticator.create(await begin())
    await later(service, 5 * MINUTE_MS)
    expect(await finish(late)).toBe('credential')
    // A refused answer uses its challenge up too.
    const options = await begin()
    await finish(authenticator.create(options, { origin: 'https://evil.example' }))
    expect(await finish(authenticator.create(options))).toBe('credential')
    const good = authenticator.create(await begin())
    expect(await finish(good)).toBe(201)
    expect(await finish(good)).toBe('credential')
    await startPasskey(service, headers)
    const forgetChallenges = (afterMs: number) =>
      forgetChores({ ...deps, clock: { now: () => deps.clock.now() + afterMs } })['forget challenges of passkeys']!()
    const left = deps.db.selectFrom('passkey_challenges').selectAll().where('user_id', '=', data.user.id)
    await forgetChallenges(0)
    expect(await left.execute()).toHaveLength(1)
    await forgetChallenges(5 * MINUTE_MS)
    expect(await left.execute()).toEqual([])
    for (const why of ['evil.example', 'It attests', 'too long ago']) expect(service.logged()).toContain(why)
  })

  test('is added to a second factor, and removed, only in a session that has just shown one', async ({ service }) => {
    const owner = await givenPasskey(service)
    const another = await givenPasskey(service)
    await later(service, 10 * MINUTE_MS)
    const stale = [
      await startPasskey(service, owner.headers, { current_password: PASSWORD }),
      await remove(service, owner),
      await service.app.inject({
        method: 'POST',
        url: `${FACTOR}/recovery-codes`,
        headers: owner.headers,
        payload: {},
      }),
      await service.app.inject({
        method: 'POST',
        url: FACTOR,
        headers: owner.headers,
        payload: { current_password: PASSWORD },
      }),
    ]
    expect(stale.map((answer) => answer.json().code)).toEqual(Array(4).fill('SECOND_FACTOR_STALE'))
    expect((await remove(service, { ...another, headers: owner.headers })).statusCode).toBe(404)

    const wrong = await show(service, owner, { origin: 'https://evil.example' })
    expect([wrong.statusCode, Object.keys(wrong.json().errors)]).toEqual([422, ['passkey']])
    const behind = await show(service, owner, { count: 0 })
    expect(behind.json().errors.passkey[0]).toContain('may have been copied')
    expect((await show(service, owner)).statusCode).toBe(200)
    expect((await addAnother(service, owner)).json().data.recovery_codes).toEqual([])
    await later(service, 10 * MINUTE_MS)
    const payload = { code: owner.recoveryCodes[0] }
    const shown = () => service.app.inject({ method: 'POST', url: `${FACTOR}/show`, headers: owner.headers, payload })
    expect((await shown()).statusCode).toBe(200)
    expect((await shown()).json().errors).toEqual({ code: [expect.any(String)] })
    const renewed = await service.app.inject({
      method: 'POST',
      url: `${FACTOR}/recovery-codes`,
      headers: owner.headers,
      payload: {},
    })
    expect(renewed.json().data.recovery_codes).toHaveLength(10)
    expect((await readAudit(service, owner.userId)).map(({ action }) => action)).toContain('second_factor.show')
  })

  test('works beside codes of an app, and each stays when the other is removed', async ({ service }) => {
    const { app, clock } = service
    const owner = await givenPasskey(service)
    const send = (url: string, payload: object) => app.inject({ method: 'POST', url, headers: owner.headers, payload })
    const { codeAt } = createCodeApp((await send(FACTOR, { current_password: PASSWORD })).json().data.uri)
    expect((await send(`${FACTOR}/confirm`, { code: codeAt(clock.now()) })).statusCode).toBe(200)
    const waiting = await post(app, '/api/v1/login', { email: owner.email, password: PASSWORD })
    expect(waiting.json().data.factors).toEqual(['passkey', 'app', 'recovery'])
    await later(service, MINUTE_MS)
    expect((await send(`${FACTOR}/disable`, { code: codeAt(clock.now()) })).statusCode).toBe(200)
    const state = await app.inject({ url: FACTOR, headers: owner.headers })
    expect(state.json().data).toMatchObject({ enabled: false, recovery_codes_left: 10 })
    expect(await readCode(signInWithPasskey(service, owner))).toBe('OK')
    // Without an app there is nothing to turn off, and no code is used up.
    expect((await send(`${FACTOR}/disable`, { code: owner.recoveryCodes[0] })).statusCode).toBe(422)
  })

  test('is renamed by its owner alone, and an account has ten at most', async ({ service }) => {
    const [owner, other] = [await givenPasskey(service), await givenPasskey(service)]
    const rename = (headers: PasskeyOwner['headers'], name: string) =>
      service.app.inject({ method: 'PATCH', url: `${PASSKEYS}/${owner.passkeyId}`, headers, payload: { name } })
    expect((await rename(owner.headers, 'Key ring')).json().data.name).toBe('Key ring')
    expect((await rename(other.headers, 'Mine')).statusCode).toBe(404)
    expect((await rename(owner.headers, 'a\u0007b')).json().errors).toEqual({ name: [expect.any(String)] })
    for (let n = 1; n < 10; n++) expect((await addAnother(service, owner)).statusCode).toBe(201)
    expect((await startPasskey(service, owner.headers)).json().code).toBe('INVALID_STATE')
  })

  test('that another account has is not added', async ({ service }) => {
    const { deps } = service
    const owner = await givenPasskey(service)
    const options = (await startPasskey(service, owner.headers)).json().data
    const credential = owner.authenticator.create(options)
    const { user_id } = await deps.db
      .insertInto('users')
      .values({ username: 'thief', email: 'thief@example.com', name: 'Thief', password_hash: '' })
      .returning('user_id')
      .executeTakeFirstOrThrow()
    const key = { credential_id: Buffer.from(credential.id, 'base64url'), public_key: Buffer.alloc(1), sign_count: 0 }
    await deps.db
      .insertInto('passkeys')
      .values({ ...key, user_id, transports: [], name: 'x', created_at: new Date() })
      .execute()
    const answer = await own(service, owner.headers, 'passkeys', { name: 'Key', credential })
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'DUPLICATE'])
  })

  test('is for roles with the panel, and is removed with the second factor by an operator', async ({ service }) => {
    const { app, deps } = service
    const { data } = await signedIn(app, deps)
    const headers = { authorization: `Bearer ${data.token}` }
    expect((await startPasskey(service, headers, { current_password: PASSWORD })).statusCode).toBe(403)
    const owner = await givenPasskey(service)
    const disable = () => inTransaction(deps.db, (tx) => removeAllFactors(tx, owner.userId))
    expect([await disable(), await disable()]).toEqual([true, false])
    expect((await post(app, '/api/v1/login', { email: owner.email, password: PASSWORD })).statusCode).toBe(200)
  })
})

test('Passkeys count where a second factor is required, and belong to the address of the panel', async () => {
  const service = await startService({ SECOND_FACTOR: 'required', PANEL_ORIGIN: 'https://panel.example.com' })
  try {
    const authenticator = createAuthenticator('https://panel.example.com')
    const owner = await givenPasskey(service, { role: 'super_admin', authenticator })
    expect(
      (await service.app.inject({ url: '/api/admin/v1/users?per_page=1', headers: owner.headers })).statusCode,
    ).toBe(200)
    expect((await signInWithPasskey(service, owner)).json().data.user.lacks_second_factor).toBe(false)
    expect(await readCode(signInWithPasskey(service, owner, { origin: 'http://localhost' }))).toBe(WRONG)
  } finally {
    await service.close()
  }
})

plain('The host of a request makes passkeys possible in a trial alone', () => {
  const settings = { PANEL_ORIGIN: '', NODE_ENV: 'development' } as const
  expect(findRelyingParty(settings, 'localhost:3000')).toEqual({ id: 'localhost', origin: 'http://localhost:3000' })
  expect(findRelyingParty(settings, 'evil.example')).toBeUndefined()
  expect(findRelyingParty({ ...settings, NODE_ENV: 'production' }, 'localhost:3000')).toBeUndefined()
  const named = { PANEL_ORIGIN: 'https://panel.example.com:8443', NODE_ENV: 'production' } as const
  expect(findRelyingParty(named, 'localhost')).toEqual({ id: 'panel.example.com', origin: named.PANEL_ORIGIN })
})
