import { ECDH } from 'node:crypto'
import { parseJson, readField } from '../../../platform/shared/json.ts'
import type { ReceiverKeys } from './encryption.ts'

export type Subscription = { endpoint: URL; keys: ReceiverKeys }

/** Where the push services of the browsers are. `*` is one name or more; a port other than 443 is written out. */
export const PUSH_HOSTS = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  'web.push.apple.com',
  '*.push.apple.com',
  '*.notify.windows.com',
] as const

// They stand within JSON, which the log may have quoted once more.
const ENDPOINT =
  /https:(?:\\?\/){2}(?:[\w-]{1,63}\.){0,8}(?:googleapis|mozilla|apple|windows)\.com(?::\d{1,5})?\\?\/[^\s"\\]{8,2048}/g
const IN_SUBSCRIPTION = /(?<=\\{0,3}"(?:endpoint|p256dh|auth)\\{0,3}": ?\\{0,3}")[^"\\]{1,2048}/g

export const WEB_PUSH_TOKENS = [ENDPOINT, IN_SUBSCRIPTION] as const

const MOST_CHARACTERS = 2_000
const POINT_BYTES = 65
const AUTH_BYTES = 16

/**
 * The token of a browser: the JSON of its subscription, with the keys in one order and without `expirationTime`.
 * Undefined when it is none, or its push service is not among `hosts`.
 */
export function normalizeSubscription(token: string, hosts: readonly string[]): string | undefined {
  const subscription = readSubscription(token)
  if (subscription === undefined || !isAmong(subscription.endpoint, hosts)) return undefined
  const { endpoint, keys } = subscription
  const [p256dh, auth] = [keys.p256dh.toString('base64url'), keys.auth.toString('base64url')]
  const normal = JSON.stringify({ endpoint: endpoint.href, keys: { p256dh, auth } })
  return normal.length <= MOST_CHARACTERS ? normal : undefined
}

export function readSubscription(token: string): Subscription | undefined {
  const json = token.length <= 2 * MOST_CHARACTERS ? parseJson(token) : undefined
  const [endpoint, keys] = [readField(json, 'endpoint'), readField(json, 'keys')]
  const url = typeof endpoint === 'string' ? URL.parse(endpoint) : null
  const read = {
    p256dh: toBytes(readField(keys, 'p256dh'), POINT_BYTES),
    auth: toBytes(readField(keys, 'auth'), AUTH_BYTES),
  }
  // What follows `#` is not sent, so that it would make many tokens of one browser.
  if (url === null || url.href.includes('#')) return undefined
  if (read.auth === undefined || read.p256dh === undefined || !isPoint(read.p256dh)) return undefined
  return { endpoint: url, keys: { p256dh: read.p256dh, auth: read.auth } }
}

/** Endpoints come from browsers, and no one may have us call another server (SSRF). */
export function isAmong(url: URL, hosts: readonly string[]): boolean {
  const isPlain = url.protocol === 'https:' && url.username === '' && url.password === ''
  return isPlain && hosts.some((host) => isLike(url, host))
}

/** Apple's servers for apps are below the same name as its service for browsers. */
function isLike({ host }: URL, allowed: string): boolean {
  if (!allowed.startsWith('*.')) return host === allowed
  return host.endsWith(allowed.slice(1)) && !host.startsWith('api.')
}

/** Uncompressed, which begins with 4. The hybrid forms (6 and 7) of the same point would be other tokens. */
function isPoint(bytes: Buffer): boolean {
  if (bytes[0] !== 4) return false
  try {
    return ECDH.convertKey(bytes, 'prime256v1', undefined, undefined, 'uncompressed').length === bytes.length
  } catch {
    return false
  }
}

function toBytes(text: unknown, length: number): Buffer | undefined {
  if (typeof text !== 'string' || !/^[\w+/=-]+$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === length ? bytes : undefined
}
