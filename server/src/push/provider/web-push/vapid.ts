import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { createSigner } from 'fast-jwt'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../platform/shared/clock.ts'

// RFC 8292 allows a day. Apple wants a token to be used for an hour at least.
const VALID_MS = 12 * 60 * 60 * 1_000
const RENEWED_MS = VALID_MS / 2
const ORIGINS_MOST = 1_000

/** Gives the value of `authorization` for a push service; its token is signed once, and used for six hours. */
export type Vapid = (origin: string) => string

/** `key`: PEM. `subject`: `mailto:` or `https:`, where the push services may reach the operator. */
export function createVapid({ key, subject }: { key: string; subject: string }, clock: Clock): Vapid {
  const sign = createSigner({ algorithm: 'ES256', key, noTimestamp: true })
  const publicKey = readPublicKey(key)
  const signed = new LRUCache<string, { header: string; at: number }>({ max: ORIGINS_MOST })
  return (origin) => {
    const now = clock.now()
    const known = signed.get(origin)
    // A clock that was set back makes a token of the future, which is refused.
    if (known !== undefined && known.at <= now && now - known.at < RENEWED_MS) return known.header
    const token = sign({ aud: origin, exp: Math.floor((now + VALID_MS) / 1_000), sub: subject })
    const header = `vapid t=${token}, k=${publicKey}`
    signed.set(origin, { header, at: now })
    return header
  }
}

/** What a page gives `pushManager.subscribe` as `applicationServerKey`: base64url of the point. */
export function readPublicKey(key: string): string {
  const { x = '', y = '' } = createPublicKey(createPrivateKey(key)).export({ format: 'jwk' })
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString('base64url')
}

/** A sentence each, with what to do. Apple refuses a subject that it cannot reach or that has spaces or brackets. */
export function listVapidFaults({ key, subject }: { key: string; subject: string }): string[] {
  const faults: string[] = []
  if (!isP256(parseKey(key)))
    faults.push(
      'The key must be a private key on the curve P-256, as PEM: openssl ecparam -name prime256v1 -genkey -noout',
    )
  const url = URL.parse(subject)
  const host = url?.protocol === 'mailto:' ? url.pathname.split('@')[1] : url?.hostname
  if (!/^(?:mailto:[^\s<>]+@|https:\/\/)[^\s<>]+$/.test(subject) || !isReachable(host))
    faults.push(
      'subject must be mailto: or https: and the address of the operator; Apple refuses localhost and .local.',
    )
  return faults
}

function isReachable(host = ''): boolean {
  return /\.[a-z]{2,}$/i.test(host) && !/\.(?:local|localhost|test|invalid)$/i.test(host)
}

function isP256(key: KeyObject | undefined): boolean {
  return key?.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
}

function parseKey(key: string): KeyObject | undefined {
  try {
    return createPrivateKey(key)
  } catch {
    return undefined
  }
}
