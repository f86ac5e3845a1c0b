import { isRecord, isString } from '../json.ts'
import { notificationId } from '../ledger.ts'

export type Platform = 'ios' | 'android'

/** A push as a phone reads it. Texts have at most 300 characters. */
export type Push = {
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
  /** After this moment it is not shown any more, Unix milliseconds. */
  expiresAt: number
}

const MOST_CHARACTERS = 300

/**
 * Reads the fields of a message for a phone. iOS merges shown and waiting pushes by `collapseId`. Android merges shown
 * ones by `tag` and waiting ones by `collapseId` (Expo: message format).
 */
export function readPush(fields: Record<string, unknown>, platform: Platform, time: number): Push {
  const { title, body, badge, collapseId, tag, ttl, expiration, data } = fields
  const lives = typeof ttl === 'number' ? time + ttl * 1000 : Infinity
  const ends = typeof expiration === 'number' ? expiration * 1000 : Infinity
  return {
    time,
    notificationId: text(notificationId(fields)),
    title: text(title),
    body: text(body),
    link: isRecord(data) ? text(data['link']) : null,
    badge: typeof badge === 'number' ? badge : null,
    slot: text(platform === 'ios' ? collapseId : tag),
    collapse: text(collapseId),
    expiresAt: Math.min(lives, ends),
  }
}

function text(value: unknown): string | null {
  return isString(value) || typeof value === 'number' ? String(value).slice(0, MOST_CHARACTERS) : null
}
