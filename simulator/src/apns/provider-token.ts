import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import { isRecord, isString } from '../json.ts'
import type { Reason } from './reasons.ts'

/** A key that Apple gave. `environment`, `topics` absent: it is for all. The public half, or both, as PEM. */
export type AppleKey = {
  team: string
  keyId: string
  key: string
  environment?: Environment
  topics?: string[]
}

export type Environment = 'production' | 'sandbox'

/** A token whose signature is right. */
export type Signed = { key: AppleKey; issuedAt: number }

const HOUR_MS = 3_600_000
const FUTURE_MS = 5 * 60_000
const MOST_KEPT = 1_000

export type TokenChecks = ReturnType<typeof createTokenChecks>

/** `seen`: the good tokens of each key, in the order of their first use. */
export function createTokenChecks(keys: AppleKey[]) {
  const revoked = new Set<string>()
  const publicKeys = new Map(keys.map((key) => [key.keyId, createPublicKey(key.key)]))
  const known = new Map<string, Signed>()
  const seen = new Map<string, string[]>()
  const check = (authorization: string | undefined, now: number): Signed | Reason => {
    if (authorization === undefined) return 'MissingProviderToken'
    const [, token] = /^bearer (.+)$/i.exec(authorization) ?? []
    if (token === undefined) return 'InvalidProviderToken'
    const signed = known.get(token) ?? read(token, keys, publicKeys)
    if (signed === undefined || revoked.has(signed.key.keyId)) return 'InvalidProviderToken'
    if (signed.issuedAt > now + FUTURE_MS) return 'InvalidProviderToken'
    if (signed.issuedAt < now - HOUR_MS) return 'ExpiredProviderToken'
    if (!known.has(token)) {
      if (known.size >= MOST_KEPT) known.clear()
      known.set(token, signed)
      seen.set(signed.key.keyId, [...(seen.get(signed.key.keyId) ?? []), token])
    }
    return signed
  }
  return { check, revoke: (keyId: string) => void revoked.add(keyId), seen }
}

function read(token: string, keys: AppleKey[], publicKeys: Map<string, KeyObject>): Signed | undefined {
  const [head = '', body = '', signature = '', ...more] = token.split('.')
  const { alg, kid } = decode(head)
  const { iss, iat } = decode(body)
  const key = keys.find(({ keyId }) => keyId === kid)
  const publicKey = isString(kid) ? publicKeys.get(kid) : undefined
  if (alg !== 'ES256' || !key || !publicKey || iss !== key.team || typeof iat !== 'number' || more.length > 0)
    return undefined
  const bytes = Buffer.from(signature, 'base64url')
  const isGood = verify('sha256', Buffer.from(`${head}.${body}`), { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes)
  return isGood ? { key, issuedAt: iat * 1_000 } : undefined
}

function decode(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}
