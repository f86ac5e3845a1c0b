/** A request as a double saw it: without what differs each time, and with the body as its receiver reads it. */
export type Seen = { method: string; path: string; headers: Record<string, unknown>; body: unknown }

type Peer = 'node-apn' | 'firebase-admin' | 'web-push'

/** What differs between a peer's requests and ours, and why that is right. */
export const ACCEPTED: Record<Peer, Record<string, string>> = {
  'node-apn': {
    'headers.apns-id only ours': 'The ticket is known before the answer.',
  },
  'firebase-admin': {
    'body.message.android.priority differs': 'Google names it HIGH; its client writes high.',
    'body.message.fcm_options only ours': 'Google names it so; its client writes fcmOptions.',
    'body.message.fcmOptions only theirs': 'The same as fcm_options.',
    'headers.access_token_auth only theirs': 'Google documents it nowhere.',
    'headers.content-type differs': 'Its client adds the charset that JSON has anyway.',
    'headers.x-firebase-client only theirs': 'Names the client and its version.',
    'headers.x-goog-api-client only theirs': 'Names the client and its version.',
  },
  'web-push': {
    'headers.topic differs': 'Ours is a hash of the key, because a topic has 32 characters of base64url.',
  },
}

/** Each place where they differ, with who has it: `headers.apns-id only ours`. */
export function listDifferences(ours: unknown, theirs: unknown, at = ''): string[] {
  if (isObject(ours) && isObject(theirs))
    return [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].flatMap((key) =>
      listDifferences(ours[key], theirs[key], at === '' ? key : `${at}.${key}`),
    )
  if (ours === theirs) return []
  if (theirs === undefined) return [`${at} only ours`]
  return [ours === undefined ? `${at} only theirs` : `${at} differs`]
}

// `content-length` follows from the body; the others are of the connection.
const LEFT_OUT = new Set(['content-length', 'host', 'connection', 'accept', 'transfer-encoding', 'user-agent'])
const MINUTE_S = 60

export function readHeaders(headers: Record<string, unknown>): Record<string, unknown> {
  const read = Object.entries(headers).filter(([name]) => !name.startsWith(':') && !LEFT_OUT.has(name))
  return Object.fromEntries(
    read.map(([name, value]) => {
      if (name === 'authorization') return [name, readAuthorization(String(value))]
      return [name, name === 'ttl' ? toMinutes(Number(value)) : value]
    }),
  )
}

/** A signed token as what it says, without its times; another one only by its scheme. */
function readAuthorization(value: string): unknown {
  const [, scheme, token = ''] = /^(\S+) (?:t=)?([^,]+)/.exec(value) ?? []
  const [head, claims] = token.split('.').map(decode)
  if (head === undefined || claims === undefined) return { scheme }
  const { iat, exp, ...others } = claims
  return { scheme, head, claims: { ...others, hasIat: iat !== undefined, hasExp: exp !== undefined } }
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** What ends in an hour has a minute more or less where a busy machine calls later. */
function toMinutes(seconds: number): number {
  return Math.round(seconds / (10 * MINUTE_S)) * 10
}

/** Google's text of a duration, which differs by the second of the call. */
export function readFcmBody(body: string): unknown {
  return JSON.parse(body, (key, value: unknown) =>
    key === 'ttl' ? toMinutes(parseFloat(String(value))) : value,
  ) as unknown
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
