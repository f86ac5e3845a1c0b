import { createPrivateKey, createPublicKey } from 'node:crypto'
import { createSigner } from 'fast-jwt'
import { LRUCache } from 'lru-cache'
import { isP256 } from '../common-settings.ts'
import type { ProviderGround } from '../provider.ts'
import { ORIGINS_MOST } from './origins.ts'

// RFC 8292 allows a day. Apple wants a token to be used for an hour at least.
const VALID_MS = 12 * 60 * 60 * 1_000
const FRESH_MS = VALID_MS / 2

type Ground = Pick<ProviderGround, 'share' | 'clock'>

/** Gives the value of `authorization` for a push service. */
export type Vapid = (endpoint: URL) => Promise<string>

type Signer = { key: string; subject: string; hosts: readonly string[] }

/**
 * `key`: PEM. `subject`: where the push services may reach the operator; a corrected one is signed anew. All processes
 * share the tokens for `hosts`; a name under a `*` is whatever a browser says, so its token stays in this process.
 */
export function createVapid({ key, subject, hosts }: Signer, { share, clock }: Ground): Vapid {
  const sign = createSigner({ algorithm: 'ES256', key, noTimestamp: true })
  const publicKey = readPublicKey(key)
  const own = new LRUCache<string, { token: string; signedAt: number }>({ max: ORIGINS_MOST })
  const signFor = (aud: string, now: number) => sign({ aud, exp: Math.floor((now + VALID_MS) / 1_000), sub: subject })
  const signAlone = (origin: string): { token: string } => {
    const now = clock.now()
    const known = own.get(origin)
    if (known !== undefined && known.signedAt + FRESH_MS > now) return known
    const signed = { token: signFor(origin, now), signedAt: now }
    own.set(origin, signed)
    return signed
  }
  return async ({ origin, host }) => {
    const { token } = hosts.includes(host)
      ? await share((now) => signFor(origin, now.getTime()), FRESH_MS, `${origin} ${subject}`)
      : signAlone(origin)
    return `vapid t=${token}, k=${publicKey}`
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
  if (!isP256(key))
    faults.push(
      'The key must be a private key on the curve P-256, as PEM: openssl ecparam -name prime256v1 -genkey -noout',
    )
  const url = URL.parse(subject)
  const host = url?.protocol === 'mailto:' ? url.pathname.split('@')[1] : url?.hostname
  if (!/^(?:mailto:[^\s<>@]+@|https:\/\/)[^\s<>@]+$/.test(subject) || !isReachable(host))
    faults.push(
      'subject must be mailto: or https: and the address of the operator; Apple refuses localhost and .local.',
    )
  return faults
}

function isReachable(host = ''): boolean {
  return /\.[a-z]{2,}$/i.test(host) && !/\.(?:local|localhost|test|invalid)$/i.test(host)
}
