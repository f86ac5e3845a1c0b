// Slow: many costly requests, or long data.
import { createHook } from 'node:async_hooks'
import { argon2Sync, randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { PASSWORD, get, insertAccount, post } from '../../../test/support/accounts.ts'
import { test } from '../../../test/support/app.ts'
import { signIn } from './auth.ts'

const REGISTER = '/api/v1/register'
const LOGIN = '/api/v1/login'
const ADMIN_LOGIN = '/api/admin/v1/login'

describe('POST /api/v1/register', () => {
  test('makes the account, signs it in and turns notifications on', async ({ app, deps }) => {
    const email = `Ada.Lovelace+${randomUUID()}@Example.com`
    const answer = await post(app, REGISTER, { email, password: PASSWORD, name: 'Ada' })
    expect(answer.statusCode).toBe(201)
    expect(answer.headers['cache-control']).toBe('no-store')
    const { data, ...envelope } = answer.json()
    expect(envelope).toEqual({ success: true, message: 'Registered' })
    expect(data).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 90 * 86_400,
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      user: {
        id: data.user.user_id,
        user_id: expect.any(Number),
        username: expect.stringMatching(/^user-\d{10}$/),
        email,
        name: 'Ada',
        role: 'user',
        status: 'active',
        permissions: [],
        lacks_second_factor: false,
      },
    })
    expect((await get(app, '/api/admin/v1/check-token', data.token)).statusCode).toBe(200)
    const settings = deps.db.selectFrom('user_settings').select(['setting_name', 'setting_value'])
    expect(await settings.where('user_id', '=', data.user.id).execute()).toEqual([
      { setting_name: 'notification', setting_value: '1' },
    ])
  })

  test.for([
    [undefined, undefined, 'en'],
    [undefined, 'it, de;q=0.4, fr;q=0.8', 'fr'],
    [undefined, '*, pt-BR;q=x, ;;', 'en'],
    ['es_MX', 'de', 'es'],
    ['it', 'de', 'en'],
  ])(
    'writes in the language that is said (%s), else accepted (%s): %s',
    async ([language, accepted, taken], { app, deps }) => {
      const payload = { email: `${randomUUID()}@example.com`, password: PASSWORD, name: 'Ada', language }
      const headers = accepted === undefined ? {} : { 'accept-language': accepted }
      const answer = await app.inject({ method: 'POST', url: REGISTER, payload, headers })
      const user_id = answer.json().data.user.id
      const users = deps.db.selectFrom('users').select('language').where('user_id', '=', user_id)
      expect(await users.executeTakeFirst()).toEqual({ language: taken })
    },
  )

  test('refuses a password that others can guess', async ({ app }) => {
    const email = `${randomUUID()}@example.com`
    const wide = ['ｐａｓｓｗｏｒｄ１', 'Ａｕｇｕｓｔａ１８１５', 'Quorblax1']
    for (const password of [email, 'Augusta1815', 'abcabcabc', 'iloveyou1', '1qaz2wsx', 'Swapbell1', ...wide]) {
      const answer = await post(app, REGISTER, { email, password, name: 'Augusta Ｑｕｏｒｂｌａｘ 1815' })
      expect([password, answer.statusCode]).toEqual([password, 422])
      expect(Object.keys(answer.json().errors)).toEqual(['password'])
    }
  })

  test('refuses an address that has an account, in whatever case', async ({ app, deps }) => {
    const { email } = await insertAccount(deps)
    const answer = await post(app, REGISTER, { email: email.toUpperCase(), password: PASSWORD, name: 'Ada' })
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ success: false, code: 'DUPLICATE', errors: { email: [expect.any(String)] } })
  })

  test('lets exactly one of 50 parallel registrations of an address win', async ({ app, deps }) => {
    const email = `${randomUUID()}@example.com`
    const body = { email, password: PASSWORD, name: 'Ada' }
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(app, REGISTER, body)))
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(49)
    const accounts = await deps.db.selectFrom('users').select('user_id').where('email', '=', email).execute()
    expect(accounts).toHaveLength(1)
  })

  test('gives usernames that differ, at once too, and tell nothing of the address', async ({ app }) => {
    const name = `twin${randomUUID().slice(0, 8)}`
    const register = (domain: string) =>
      post(app, REGISTER, { email: `${name}@${domain}.example`, password: PASSWORD, name: 'Twin' })
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map(register))
    const usernames = answers.map((answer) => answer.json().data.user.username)
    expect(new Set(usernames).size).toBe(4)
    for (const username of usernames) expect(username).not.toContain(name)
  })

  test.for([
    ['role', { role: 'admin' }],
    ['is_test_user', { is_test_user: true }],
    ['password', { password: 'seven77' }],
    ['password', { password: 'x'.repeat(129) }],
    ['password', { password: 12_345_678 }],
    ['password', { password: 'with\u0000nul' }],
    ['email', { email: 'not an address' }],
    ['email', { email: `${'x'.repeat(250)}@example.com` }],
    ['name', { name: '   ' }],
    ['name', { name: undefined }],
  ] as const)('refuses a bad %s and names it: %o', async ([field, change], { app }) => {
    const body = { email: `${randomUUID()}@example.com`, password: PASSWORD, name: 'Ada', ...change }
    const answer = await post(app, REGISTER, body)
    expect(answer.statusCode).toBe(422)
    expect(answer.json()).toMatchObject({ code: 'VALIDATION_ERROR', errors: { [field]: [expect.any(String)] } })
  })
})

describe('Login', () => {
  test('is refused when the password changes between its check and the session', async ({ app, deps }) => {
    const { user_id: userId, email } = await insertAccount(deps)
    const checked = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const verify: typeof deps.passwords.verify = async (...given) => {
      const isRight = await deps.passwords.verify(...given)
      checked.resolve()
      await held.promise
      return isRight
    }
    const slow = { ...deps, passwords: { ...deps.passwords, verify } }
    const by = { userId: null, role: null, ip: '127.0.0.1', userAgent: null, requestId: 'one' }
    const input = { email: ` ${email} `, password: PASSWORD, adminOnly: false, by }
    const signingIn = signIn(slow, input).catch((error: unknown) => error)
    await checked.promise
    const password_hash = await deps.passwords.hash('another good password')
    await deps.db.updateTable('users').set({ password_hash }).where('user_id', '=', userId).execute()
    held.resolve()
    expect(await signingIn).toMatchObject({ code: 'INVALID_CREDENTIALS' })
    const sessions = deps.db.selectFrom('sessions').select('session_id').where('user_id', '=', userId)
    expect(await sessions.execute()).toEqual([])
    expect((await post(app, LOGIN, { email, password: 'another good password' })).statusCode).toBe(200)
  })

  test('gives a token to the right password, in whatever case the address is', async ({ app, deps }) => {
    const { email, user_id } = await insertAccount(deps)
    const answer = await post(app, LOGIN, { email: email.toUpperCase(), password: PASSWORD })
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toMatchObject({ token_type: 'Bearer', expires_in: 90 * 86_400, user: { id: user_id } })
  })

  test('answers an unknown address and a wrong password alike, with the same work', async ({ app, deps }) => {
    const { email } = await insertAccount(deps)
    const inactive = await insertAccount(deps, { status: 'inactive' })
    const addresses = [email, inactive.email, `${randomUUID()}@example.com`]
    const answers = await Promise.all(
      addresses.map((address) => post(app, ADMIN_LOGIN, { email: address, password: 'wrong horse' })),
    )
    const seen = answers.map(({ statusCode, body, headers }) => {
      const { request_id, ...rest } = JSON.parse(body)
      return { statusCode, rest, headers: { ...headers, date: '', 'x-request-id': '' }, hasId: Boolean(request_id) }
    })
    expect(seen[0]).toMatchObject({ statusCode: 401, rest: { code: 'INVALID_CREDENTIALS' } })
    expect(seen[1]).toEqual(seen[0])
    expect(seen[2]).toEqual(seen[0])

    // Hashing is what takes time: one for each, so that the time tells nothing.
    for (const address of addresses)
      expect(await countHashes(() => post(app, ADMIN_LOGIN, { email: address, password: 'wrong horse' }))).toBe(1)
  })

  test('to the panel returns the permissions, and is valid for 12 hours', async ({ app, deps }) => {
    const { email } = await insertAccount(deps, { role: 'admin' })
    const answer = await post(app, ADMIN_LOGIN, { email, password: PASSWORD })
    expect(answer.json().data).toMatchObject({
      expires_in: 12 * 3_600,
      user: { role: 'admin', permissions: expect.arrayContaining(['panel', 'campaigns', 'users']) },
    })
  })

  test('to the panel is 403 for an account without administrator rights', async ({ app, deps }) => {
    const { email } = await insertAccount(deps)
    const answer = await post(app, ADMIN_LOGIN, { email, password: PASSWORD })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ code: 'FORBIDDEN' })
    expect((await post(app, ADMIN_LOGIN, { email, password: 'wrong horse' })).statusCode).toBe(401)
  })

  test.for(['suspended', 'banned'] as const)(
    'of a %s account is 403 with the right password',
    async (status, { app, deps }) => {
      const { email } = await insertAccount(deps, { status })
      const right = await post(app, LOGIN, { email, password: PASSWORD })
      expect([right.statusCode, right.json().code]).toEqual([403, 'ACCOUNT_SUSPENDED'])
      const wrong = await post(app, LOGIN, { email, password: 'wrong horse' })
      expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'INVALID_CREDENTIALS'])
    },
  )

  test('is for inactive accounts too, and not for deleted ones', async ({ app, deps }) => {
    const inactive = await insertAccount(deps, { status: 'inactive' })
    expect((await post(app, LOGIN, { email: inactive.email, password: PASSWORD })).statusCode).toBe(200)
    const deleted = await insertAccount(deps, { deleted_at: new Date(0) })
    const answer = await post(app, LOGIN, { email: deleted.email, password: PASSWORD })
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'ACCOUNT_DELETED'])
    const wrong = await post(app, LOGIN, { email: deleted.email, password: 'quite another word' })
    expect([wrong.statusCode, wrong.json().code]).toEqual([401, 'INVALID_CREDENTIALS'])
  })

  test('renews a password hash of an older cost, also when two sign in at once', async ({ app, deps }) => {
    const { email, user_id } = await insertAccount(deps)
    const salt = Buffer.alloc(16, 7)
    const cost = { message: PASSWORD, nonce: salt, memory: 1024, passes: 3, parallelism: 1, tagLength: 32 }
    const encoded = [salt, argon2Sync('argon2id', cost)].map((bytes) => bytes.toString('base64').replaceAll('=', ''))
    await deps.db
      .updateTable('users')
      .set({ password_hash: ['$argon2id$v=19$m=1024,t=3,p=1', ...encoded].join('$') })
      .where('user_id', '=', user_id)
      .execute()
    const both = await Promise.all([1, 2].map(() => post(app, LOGIN, { email, password: PASSWORD })))
    expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    const row = await deps.db
      .selectFrom('users')
      .select('password_hash')
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
    expect(row.password_hash).toContain('$m=19456,t=2,p=1$')
    expect((await post(app, LOGIN, { email, password: PASSWORD })).statusCode).toBe(200)
  })

  test('in a flood does not keep the other routes waiting until its end', async ({ app }) => {
    const body = { email: `${randomUUID()}@example.com`, password: 'wrong horse' }
    const flood = Array.from({ length: 100 }, () => post(app, LOGIN, body))
    let ended = 0
    for (const attempt of flood) void attempt.then(() => ended++)
    for (let run = 0; run < 20; run++) expect((await app.inject({ url: '/api/ready' })).statusCode).toBe(200)
    expect(ended).toBeLessThan(100)
    const statuses = new Set((await Promise.all(flood)).map(({ statusCode }) => statusCode))
    expect(statuses).toEqual(new Set([401, 503]))
  })
})

/** How many passwords were hashed meanwhile. */
async function countHashes(run: () => Promise<unknown>): Promise<number> {
  let hashes = 0
  const hook = createHook({ init: (_, type) => void (hashes += Number(type === 'ARGON2REQUEST')) }).enable()
  await run()
  hook.disable()
  return hashes
}
