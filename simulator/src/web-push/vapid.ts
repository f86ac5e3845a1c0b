import { createPublicKey, verify } from 'node:crypto'
import { isRecord, isString } from '../json.ts'

/** The sender as its header says, or why it is refused. */
export type Sender = { key: string; token: string } | { fault: VapidFault }
export type VapidFault = 'missing' | 'malformed' | 'signature' | 'audience' | 'expired' | 'too-long' | 'subject'

const DAY_SECONDS = 24 * 60 * 60
const FORM = /^vapid t=([\w.-]+), ?k=([\w-]+)$/

/** RFC 8292. `now`: Unix milliseconds. */
export function readSender(header: string | undefined, { origin, now }: { origin: string; now: number }): Sender {
  if (header === undefined) return { fault: 'missing' }
  const [, token = '', key = ''] = FORM.exec(header) ?? []
  const [head = '', payload = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [protectedHead, claims] = [parse(head), parse(payload)]
  if (point.length !== 65 || point[0] !== 4 || protectedHead['alg'] !== 'ES256') return { fault: 'malformed' }
  if (!isSigned(`${head}.${payload}`, { signature, point })) return { fault: 'signature' }
  const { aud, exp, sub } = claims
  if (aud !== origin) return { fault: 'audience' }
  if (typeof exp !== 'number' || exp * 1_000 <= now) return { fault: 'expired' }
  if (exp * 1_000 > now + DAY_SECONDS * 1_000) return { fault: 'too-long' }
  if (!isString(sub) || !/^(mailto:|https:\/\/)[^\s<>]+$/.test(sub)) return { fault: 'subject' }
  return { key, token }
}

function isSigned(text: string, { signature, point }: { signature: string; point: Buffer }): boolean {
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  if (x === undefined || y === undefined) return false
  try {
    const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    const bytes = Buffer.from(signature, 'base64url')
    return verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, bytes)
  } catch {
    return false
  }
}

function parse(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
