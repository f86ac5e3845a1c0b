import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { connect, type IncomingHttpHeaders } from 'node:http2'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AUTHORITY } from '../http2/certificates.ts'
import { startWebPush, type WebPushDouble, type WebPushOptions } from './web-push.ts'

type Claims = { aud?: string; exp?: number; sub?: string }

const soon = () => Math.floor(Date.now() / 1_000) + 3_600

describe('a push service', () => {
  test('accepts a push of any sender, and writes it down before it answers', async () => {
    const logFile = join(await mkdtemp(join(tmpdir(), 'web-push-')), 'log')
    const service = await start({ logFile })
    const to = service.subscribe()
    const answer = await push(service, to)
    expect(answer).toMatchObject({ status: 201, location: `${service.url}/message/1` })
    expect((await readFile(logFile, 'utf8')).trim().split('\n')).toEqual(
      service.log().map((one) => JSON.stringify(one)),
    )
    expect(service.log()).toMatchObject([{ sequence: 1, ttl: 60, urgency: 'normal', topic: null }])
    expect(service.log(1)).toEqual([])
  })

  test('takes what a browser cannot decrypt, as real ones do, and counts it', async () => {
    const service = await start()
    await push(service, service.subscribe(), { body: randomBytes(200) })
    expect(service.counts()).toMatchObject({ undecipherable: 1, requests: 1 })
    expect(service.log()).toMatchObject([{ text: undefined, notification_id: null }])
  })

  test.for<[string, Record<string, string>, Buffer | undefined, number]>([
    ['without a TTL', { ttl: '' }, undefined, 400],
    ['with a TTL that is no number', { ttl: 'soon' }, undefined, 400],
    ['with a topic that is too long', { topic: 'a'.repeat(33) }, undefined, 400],
    ['with another encoding', { 'content-encoding': 'aesgcm' }, undefined, 400],
    ['that is too large', {}, Buffer.alloc(4_097), 413],
    ['without a signature', { authorization: '' }, undefined, 401],
  ])('refuses a push %s', async ([, headers, body, status]) => {
    const service = await start()
    expect((await push(service, service.subscribe(), { headers, ...(body && { body }) })).status).toBe(status)
    expect(service.log()).toEqual([])
  })

  test.for<[string, Claims]>([
    ['for another service', { aud: 'https://fcm.googleapis.com' }],
    ['that is over', { exp: soon() - 7_200 }],
    ['that is for more than a day', { exp: soon() + 86_400 }],
    ['without a subject', { sub: '' }],
  ])('refuses a signature %s', async ([, claims]) => {
    const statuses = await Promise.all(
      (['google', 'mozilla', 'apple'] as const).map(async (vendor) => {
        const service = await start({ vendor })
        return (await push(service, service.subscribe(), { claims })).status
      }),
    )
    expect(statuses).toEqual([403, 401, 403])
  })

  test('refuses a signature of another key than its own', async () => {
    const service = await start()
    const [one, other] = [drawSender(), drawSender()]
    const authorization = sign(service, one, {}).replace(/k=.*/, `k=${other.point}`)
    expect((await push(service, service.subscribe(), { headers: { authorization } })).status).toBe(403)
  })

  test('refuses a sender whom the browser did not name', async () => {
    const service = await start({ vendor: 'apple' })
    const [named, other] = [drawSender(), drawSender()]
    const to = service.subscribe({ applicationServerKey: named.point })
    expect(await push(service, to, { sender: other })).toMatchObject({
      status: 400,
      text: '{"reason":"VapidPkHashMismatch"}',
    })
    expect((await push(service, to, { sender: named })).status).toBe(201)
    expect(service.tokens().map(({ key }) => key)).toEqual([other.point, named.point])
  })

  test('does not know a browser that dropped its subscription, or never had one', async () => {
    const service = await start()
    const to = service.subscribe()
    service.unsubscribe(to)
    expect((await push(service, to)).status).toBe(410)
    expect((await push(service, `${service.url}/push/never`)).status).toBe(404)
  })

  test('answers as a script says, with or without taking the push', async () => {
    const service = await start()
    const to = service.subscribe()
    service.script([
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 500, accept: true },
    ])
    expect(await push(service, to)).toMatchObject({ status: 429, retryAfter: '7' })
    expect((await push(service, to)).status).toBe(500)
    expect(service.log()).toHaveLength(1)
    expect((await push(service, to)).status).toBe(201)
  })

  test('hands pushes to a browser that is there, and keeps the last of a topic for one that is not', async () => {
    const service = await start()
    const shown: number[] = []
    const to = service.subscribe({ onPush: ({ sequence }) => shown.push(sequence) })
    await push(service, to)
    service.goAway(to)
    for (const headers of [{ topic: 'a' }, { topic: 'b' }, { topic: 'a' }, { ttl: '0' }])
      await push(service, to, { headers })
    expect(shown).toEqual([1])
    expect(service.comeBack(to).map(({ sequence }) => sequence)).toEqual([3, 4])
    expect(shown).toEqual([1, 3, 4])
  })

  test('speaks HTTP/1.1 alone where it should', async () => {
    const service = await start({ http: 1 })
    expect((await push(service, service.subscribe(), { http: 1 })).status).toBe(201)
    expect(() => service.scriptFaults([{ kind: 'no-tls' }])).toThrow(/HTTP\/2/)
  })
})

async function start(options: WebPushOptions = {}): Promise<WebPushDouble> {
  const service = await startWebPush(options)
  onTestFinished(() => service.close())
  return service
}

type Sender = ReturnType<typeof drawSender>

function drawSender() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const bytes = [Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  return { privateKey, point: Buffer.concat(bytes).toString('base64url') }
}

function sign(service: WebPushDouble, { privateKey, point }: Sender, claims: Claims): string {
  const payload = { aud: service.url, exp: soon(), sub: 'mailto:a@swapbell.example', ...claims }
  const text = [{ typ: 'JWT', alg: 'ES256' }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = createSign('sha256').update(text).sign({ key: privateKey, dsaEncoding: 'ieee-p1363' }, 'base64url')
  return `vapid t=${text}.${signature}, k=${point}`
}

type Wish = { headers?: Record<string, string>; body?: Buffer; claims?: Claims; sender?: Sender; http?: 1 | 2 }

/** Headers that are empty are left out. */
async function push(
  service: WebPushDouble,
  to: string,
  { headers = {}, body, claims = {}, sender, http = 2 }: Wish = {},
) {
  const endpoint = to.startsWith('{') ? (JSON.parse(to) as { endpoint: string }).endpoint : to
  const all = {
    ttl: '60',
    'content-encoding': 'aes128gcm',
    authorization: sign(service, sender ?? drawSender(), claims),
    ...headers,
  }
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
  const answer = await post(new URL(endpoint), sent, body ?? randomBytes(120), http)
  const { location, 'retry-after': retryAfter } = answer.headers
  return { status: answer.status, location, retryAfter, text: answer.text }
}

async function post(url: URL, headers: Record<string, string>, body: Buffer, http: 1 | 2) {
  if (http === 1) {
    const sent = request(url, { method: 'POST', headers, ca: AUTHORITY, agent: false }).end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, headers: answer.headers, text: await readText(answer) }
  }
  const session = connect(url, { ca: AUTHORITY })
  onTestFinished(() => session.destroy())
  const stream = session.request({ ':method': 'POST', ':path': url.pathname, ...headers }).end(body)
  const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders]
  return { status: Number(answer[':status']), headers: answer, text: await readText(stream) }
}
