import { createSign, generateKeyPairSync } from 'node:crypto'
import { connect, constants } from 'node:http2'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AUTHORITY } from '../http2/certificates.ts'
import { startFcm, type FcmDouble } from './fcm.ts'
import { makeServiceAccount, PROJECT } from './service-account.ts'
import type { FcmOptions } from './state.ts'

const TOKEN = `cPhone-1_aBcDeFgHiJkLm:APA91b${'x'.repeat(134)}`
const INSTALLATION = 'cPhone-1_aBcDeFgHiJkLm'
const FCM_ERROR = 'type.googleapis.com/google.firebase.fcm.v1.FcmError'
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest'
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
const GOOGLE = 'https://oauth2.googleapis.com/token'
// Its key takes longest to make: once for all doubles.
const { file: CREDENTIALS } = makeServiceAccount(PROJECT)

describe('a message', () => {
  test('is in the ledger with its identity, and answered with its name', async () => {
    const { google, send } = await given()
    const data = { body: '{"notification_id":7}', tag: 'n7' }
    const { status, json } = await send({ message: { token: TOKEN, data } })
    const [logged] = google.log()
    expect(logged).toMatchObject({ notification_id: 7, token: TOKEN, tag: 'n7' })
    expect({ status, json }).toEqual({
      status: 200,
      json: { name: `projects/${google.project}/messages/${logged?.ticket}` },
    })
  })

  test('goes to a token, to the id of an installation, and to such an id as a token', async () => {
    const { google, send } = await given()
    for (const target of [{ token: TOKEN }, { fid: INSTALLATION }, { token: INSTALLATION }])
      expect((await send({ message: { ...target, data: {} } })).status).toBe(200)
    expect(google.log()).toHaveLength(3)
  })

  test('that is only to be validated reaches nobody', async () => {
    const { google, send } = await given()
    expect((await send({ validate_only: true, message: { token: TOKEN } })).status).toBe(200)
    const dead = `dead-${TOKEN}`
    expect((await send({ validate_only: true, message: { token: dead } })).status).toBe(404)
    expect(google.log()).toEqual([])
  })

  test.for<[string, unknown, string[]]>([
    ['without a target', { message: {} }, [BAD_REQUEST]],
    ['with two targets', { message: { token: TOKEN, fid: INSTALLATION } }, [BAD_REQUEST]],
    ['with a number in its data', { message: { token: TOKEN, data: { a: 1 } } }, [BAD_REQUEST]],
    ['with a reserved name', { message: { token: TOKEN, data: { from: 'x' } } }, [FCM_ERROR, BAD_REQUEST]],
    ['with an unknown field', { message: { token: TOKEN, colour: 'red' } }, [BAD_REQUEST]],
    ['with a life above four weeks', { message: { token: TOKEN, android: { ttl: '2419201s' } } }, [BAD_REQUEST]],
    ['with another priority', { message: { token: TOKEN, android: { priority: 'low' } } }, [BAD_REQUEST]],
    ['with a long label', labelled('x'.repeat(51)), [BAD_REQUEST]],
    ['to what is no token', { message: { token: 'abc' } }, [FCM_ERROR, BAD_REQUEST]],
    ['that is too big', { message: { token: TOKEN, data: { a: 'x'.repeat(4_096) } } }, [FCM_ERROR]],
    ['that is no JSON', 'nonsense', [BAD_REQUEST]],
  ])('%s is refused', async ([, message, types]) => {
    const { google, send } = await given()
    const { status, json } = await send(message)
    expect(status).toBe(400)
    const { error } = json as { error: { details: { '@type': string }[] } }
    expect(error.details.map((detail) => detail['@type'])).toEqual(types)
    expect(google.log()).toEqual([])
  })

  test('needs an access token of the project', async () => {
    const { google, send } = await given()
    google.voidTokens()
    expect((await send({ message: { token: TOKEN } })).status).toBe(401)
  })
})

describe('a phone that is offline', () => {
  test('gets what waited: the latest of each of four collapse keys, while it lives', async () => {
    let now = Date.now()
    const shown: string[] = []
    const { google, send } = await given({ now: () => now, onMessage: ({ data }) => void shown.push(data['n'] ?? '') })
    google.setOnline(TOKEN, false)
    const keyed = (n: string, collapse_key: string, ttl = '600s') =>
      send({ message: { token: TOKEN, data: { n }, android: { collapse_key, ttl } } })
    for (const [n, key] of Object.entries({ 1: 'a', 2: 'b', 3: 'b', 4: 'c' })) await keyed(n, key)
    await keyed('5', 'd', '1s')
    expect(shown).toEqual([])
    now += 2_000
    expect(google.setOnline(TOKEN, true).map(({ data }) => data['n'])).toEqual(['1', '3', '4'])
    expect(shown).toEqual(['1', '3', '4'])
    google.setOnline(TOKEN, false)
    for (const [n, key] of Object.entries({ 1: 'a', 2: 'b', 3: 'c', 4: 'd', 5: 'e' })) await keyed(n, key)
    expect(google.setOnline(TOKEN, true).map(({ data }) => data['n'])).toEqual(['2', '3', '4', '5'])
  })

  test('loses all that has no key with the 101st', async () => {
    const { google, send } = await given()
    google.setOnline(TOKEN, false)
    for (let n = 0; n < 100; n++) await send({ message: { token: TOKEN } })
    expect(google.state().droppedWhileOffline).toBe(0)
    await send({ message: { token: TOKEN } })
    expect(google.state()).toMatchObject({ droppedWhileOffline: 101, acceptedMessages: 101 })
    expect(google.setOnline(TOKEN, true)).toEqual([])
  })
})

describe('the quota', () => {
  test('is that of a window that begins with its first message', async () => {
    let now = Date.now() + 30_000
    const { send } = await given({ now: () => now, quotaPerMinute: 2 })
    const status = async () => (await send({ message: { token: TOKEN } })).status
    expect([await status(), await status(), await status()]).toEqual([200, 200, 429])
    now += 59_000
    expect(await status()).toBe(429)
    now += 1_000
    expect(await status()).toBe(200)
  })

  test('says the seconds that are left of it, or nothing', async () => {
    const saying = await given({ quotaPerMinute: 1 })
    const silent = await given({ quotaPerMinute: 1, saysRetryAfter: false })
    for (const { send } of [saying, silent]) await send({ message: { token: TOKEN } })
    const after = async ({ send }: typeof saying) => (await send({ message: { token: TOKEN } })).headers['retry-after']
    expect(Number(await after(saying))).toBeGreaterThan(50)
    expect(await after(silent)).toBeUndefined()
  })
})

describe('the token endpoint', () => {
  test.for<[string, object, string]>([
    ['an account that it does not know', { iss: 'nobody@example.com' }, 'account not found'],
    ['a claim that is older than an hour', { iat: -3_700, exp: -100 }, 'reasonable timeframe'],
    ['a claim of the future', { iat: 600, exp: 4_000 }, 'reasonable timeframe'],
    ['a claim for longer than an hour', { exp: 3_700 }, 'reasonable timeframe'],
    ['a claim for another audience', { aud: 'https://example.com' }, 'audience'],
    ['another scope', { scope: 'https://www.googleapis.com/auth/cloud-platform' }, 'scope'],
  ])('refuses %s', async ([, claims, reason]) => {
    const { google } = await given()
    const { status, json } = await askForToken(google, signed(google, claims))
    expect({ status, json }).toMatchObject({
      status: 400,
      json: { error_description: expect.stringContaining(reason) },
    })
  })

  test('refuses a signature of another key, another algorithm, and what is no claim', async () => {
    const { google } = await given()
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const another = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const { json } = await askForToken(google, signed(google, {}, { key: another }))
    expect(json).toMatchObject({ error: 'invalid_grant', error_description: 'Invalid JWT Signature.' })
    for (const assertion of [signed(google, {}, { alg: 'HS256' }), 'a.b.c', ''])
      expect((await askForToken(google, assertion)).status).toBe(400)
    expect(google.state().accessTokens).toBe(1)
  })
})

function labelled(analytics_label: string) {
  return { message: { token: TOKEN, fcm_options: { analytics_label } } }
}

type Reply = { status: number; headers: Record<string, unknown>; json: unknown }

/** A double and one connection to it, which has an access token. */
async function given(options: FcmOptions = {}) {
  const google = await startFcm({ credentials: CREDENTIALS, ...options })
  onTestFinished(() => google.close())
  const { json } = await askForToken(google, signed(google, {}))
  const { access_token } = json as { access_token: string }
  const session = connect(google.url, { ca: AUTHORITY })
  onTestFinished(() => session.destroy())
  const send = async (message: unknown): Promise<Reply> => {
    const stream = session.request({
      ':method': 'POST',
      ':path': `/v1/projects/${google.project}/messages:send`,
      authorization: `Bearer ${access_token}`,
    })
    const answered = Promise.withResolvers<Record<string, unknown>>()
    stream.once('response', (headers) => answered.resolve(headers))
    stream.end(typeof message === 'string' ? message : JSON.stringify(message))
    const headers = await answered.promise
    return { status: Number(headers[constants.HTTP2_HEADER_STATUS]), headers, json: JSON.parse(await text(stream)) }
  }
  return { google, send }
}

/** `iat` and `exp` are seconds from now. */
function signed(
  google: FcmDouble,
  claims: { iat?: number; exp?: number },
  how: { key?: string; alg?: string } = {},
): string {
  const account = JSON.parse(google.credentials) as { client_email: string; private_key: string }
  const now = Math.floor(Date.now() / 1_000)
  const { iat = 0, exp = 3_600, ...others } = claims
  const usual = { iss: account.client_email, scope: SCOPE, aud: GOOGLE }
  const claim = { ...usual, ...others, iat: now + iat, exp: now + exp }
  const parts = [{ alg: how.alg ?? 'RS256' }, claim].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const signature = createSign('RSA-SHA256')
    .update(parts.join('.'))
    .sign(how.key ?? account.private_key, 'base64url')
  return [...parts, signature].join('.')
}

function askForToken(google: FcmDouble, assertion: string): Promise<Reply> {
  const form = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
  const asked = Promise.withResolvers<Reply>()
  const asking = request(google.tokenUrl, { method: 'POST', ca: AUTHORITY }, (response) => {
    const { statusCode: status = 0, headers } = response
    text(response).then((body) => asked.resolve({ status, headers, json: JSON.parse(body) }), asked.reject)
  })
  asking.on('error', asked.reject)
  asking.end(form.toString())
  return asked.promise
}
