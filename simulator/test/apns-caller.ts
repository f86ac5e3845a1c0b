import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { connect, type ClientHttp2Session } from 'node:http2'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { startApnsDouble, type ApnsDouble, type ApnsDoubleOptions } from '../src/apns/apns.ts'
import { AUTHORITY } from '../src/http2/certificates.ts'

const TOPIC = 'com.example.swapbell'
export const GOOD = 'ab'.repeat(32)
export const ID = '0f3a2b1c-0000-8000-8000-000000000001'

const KEYS = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const PUBLIC_KEY = KEYS.publicKey.export({ type: 'spki', format: 'pem' }) as string

type Claims = { kid?: string; iss?: string; iat?: number; alg?: string; key?: typeof KEYS.privateKey }

/** A provider token; the times are Unix seconds. */
export function jwt({
  kid = 'KEYID12345',
  iss = 'TEAMID1234',
  iat,
  alg = 'ES256',
  key = KEYS.privateKey,
}: Claims = {}) {
  const head = `${encode({ alg, kid })}.${encode({ iss, iat: iat ?? Math.floor(Date.now() / 1_000) })}`
  return `${head}.${sign('sha256', Buffer.from(head), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

export type Call = { path?: string; method?: string; headers?: Record<string, string | undefined>; body?: string }
type ApnsReply = { status: number; id: unknown; reason?: string; timestamp?: number }
export type ApnsCaller = {
  double: ApnsDouble
  session: ClientHttp2Session
  now: { ms: number }
  /** Streams that Apple allows at once, after what it said last. */
  limit(): number
  call(call?: Call): Promise<ApnsReply>
}

/** A bare client of the double, on one connection. */
export async function apnsCaller(
  options: Partial<ApnsDoubleOptions> = {},
  environment: 'production' | 'sandbox' = 'production',
): Promise<ApnsCaller> {
  const now = { ms: Date.now() }
  const keys = [{ team: 'TEAMID1234', keyId: 'KEYID12345', key: PUBLIC_KEY }]
  const double = await startApnsDouble({ keys, topics: [TOPIC], now: () => now.ms, ...options })
  onTestFinished(() => double.close())
  const session = connect(double[environment].url, { ca: AUTHORITY })
  session.on('error', () => undefined)
  onTestFinished(() => session.destroy())
  await once(session, 'remoteSettings')
  const token = jwt()
  const call = async ({ path = `/3/device/${GOOD}`, method = 'POST', headers = {}, body = PAYLOAD }: Call = {}) => {
    const all = { authorization: `bearer ${token}`, 'apns-topic': TOPIC, 'apns-id': ID, ...headers }
    const present = Object.entries(all).filter(([, value]) => value !== undefined)
    const stream = session.request({ ':method': method, ':path': path, ...Object.fromEntries(present) })
    stream.end(body)
    const [answer] = (await once(stream, 'response')) as [Record<string, unknown>]
    const content = await text(stream)
    const fields = content === '' ? {} : (JSON.parse(content) as Partial<ApnsReply>)
    return { status: Number(answer[':status']), id: answer['apns-id'], ...fields }
  }
  return { double, session, now, limit: () => session.remoteSettings.maxConcurrentStreams ?? 0, call }
}

const PAYLOAD = JSON.stringify({ aps: { alert: { title: 'a', body: 'b' } }, body: { notification_id: 7 } })
