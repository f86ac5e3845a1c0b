import { isRecord, isString } from '../json.ts'
import { notificationId } from '../ledger.ts'

export type Platform = 'ios' | 'android' | 'web'

/** Who brings pushes to phones. */
export type Provider = 'expo' | 'apns' | 'fcm' | 'web'

/** How a phone is reached. The sandbox is Apple’s, for an app in development. */
export const KINDS = ['expo', 'apns', 'apns-sandbox', 'fcm', 'web'] as const
export type Kind = (typeof KINDS)[number]

/** What a provider accepted, with the fields that the phone gets. `time`: Unix milliseconds. */
export type Message = { provider: Provider; time: number; token: string; fields: Record<string, unknown> }

/** A push as a phone reads it. Texts have at most 300 characters. */
export type Push = {
  provider: Provider
  /** When the provider accepted it, Unix milliseconds. */
  time: number
  notificationId: string | null
  title: string | null
  body: string | null
  /** The deep link, `data.link`. */
  link: string | null
  badge: number | null
  /** A push takes the place of the shown banner with the same slot. Null: it always gets a banner of its own. */
  slot: string | null
  /** A push takes the place of one with the same collapse key that still waits for the phone. */
  collapse: string | null
  /** The push is not visible any more after this moment, in Unix milliseconds. */
  expiresAt: number
}

const MOST_CHARACTERS = 300

/** The platforms of a kind; the first is that of a phone which names none. */
export const PLATFORMS_OF: Readonly<Record<Kind, readonly [Platform, ...Platform[]]>> = {
  expo: ['ios', 'android'],
  apns: ['ios'],
  'apns-sandbox': ['ios'],
  fcm: ['android'],
  web: ['web'],
}

export function readPush(message: Message, platform: Platform): Push {
  return READERS[message.provider](message, platform)
}

const READERS: Record<Provider, (message: Message, platform: Platform) => Push> = {
  expo: readExpo,
  apns: readApple,
  fcm: readGoogle,
  web: readBrowser,
}

/**
 * iOS merges shown and waiting pushes by `collapseId`. Android merges shown ones by `tag` and waiting ones by
 * `collapseId` (Expo: message format).
 */
function readExpo({ time, fields }: Message, platform: Platform): Push {
  const { title, body, badge, collapseId, tag, ttl, expiration, data } = fields
  const lives = typeof ttl === 'number' ? time + ttl * 1000 : Infinity
  const ends = typeof expiration === 'number' ? expiration * 1000 : Infinity
  return {
    provider: 'expo',
    time,
    notificationId: text(notificationId(fields)),
    title: text(title),
    body: text(body),
    link: readLink(data),
    badge: typeof badge === 'number' ? badge : null,
    slot: text(platform === 'ios' ? collapseId : tag),
    collapse: text(collapseId),
    expiresAt: Math.min(lives, ends),
  }
}

/** expo-notifications reads it so: the app's data is in `body`. */
function readApple({ time, fields }: Message): Push {
  const { collapseId, expiresAt } = fields
  const payload = toRecord(fields['payload'])
  const { alert, badge } = toRecord(payload['aps'])
  const { title, body } = toRecord(alert)
  return {
    provider: 'apns',
    time,
    notificationId: text(notificationId({ data: payload['body'] })),
    title: text(title),
    body: text(body),
    link: readLink(payload['body']),
    badge: typeof badge === 'number' ? badge : null,
    slot: text(collapseId),
    collapse: text(collapseId),
    expiresAt: typeof expiresAt === 'number' ? expiresAt : Infinity,
  }
}

/** expo-notifications reads a data message so: all values are texts, and the app's data is JSON in `body`. */
function readGoogle({ time, fields }: Message): Push {
  const { collapseKey, ttlSeconds } = fields
  const { title, message, body, tag, badge } = toRecord(fields['data'])
  const data = parse(body)
  return {
    provider: 'fcm',
    time,
    notificationId: text(notificationId({ data })),
    title: text(title),
    body: text(message),
    link: readLink(data),
    badge: isString(badge) && /^\d+$/.test(badge) ? Number(badge) : null,
    slot: text(tag),
    collapse: text(collapseKey),
    expiresAt: time + Number(ttlSeconds) * 1000,
  }
}

/** The page's service worker reads it so. A browser has no badge. */
function readBrowser({ time, fields }: Message): Push {
  const { topic, ttl } = fields
  const { title, body, tag, notification_id: id, data } = parse(fields['text'])
  return {
    provider: 'web',
    time,
    notificationId: text(id),
    title: text(title),
    body: text(body),
    link: readLink(data),
    badge: null,
    slot: text(tag),
    collapse: text(topic),
    expiresAt: time + Number(ttl) * 1000,
  }
}

function readLink(data: unknown): string | null {
  return text(toRecord(data)['link'])
}

function text(value: unknown): string | null {
  return isString(value) || typeof value === 'number' ? String(value).slice(0, MOST_CHARACTERS) : null
}

function toRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

function parse(json: unknown): Record<string, unknown> {
  try {
    return toRecord(JSON.parse(String(json)))
  } catch {
    return {}
  }
}
