import { hash } from 'node:crypto'
import { ENCRYPTION_BYTES } from './encryption.ts'
import type { Push, Unaddressed } from '../provider.ts'

// RFC 8030: at most 32 characters of base64url.
const TOPIC_CHARACTERS = 32

/** What a service worker shows; `tag` names the banner, so that a browser replaces one of the same identity (B6). */
export function encodePayload({ notificationId, content }: Unaddressed): string {
  const { title, body, data, mergeKey } = content
  const { notification_id: _ours, ...rest } = data ?? {}
  const tag = mergeKey ?? `n${notificationId}`
  return JSON.stringify({ title, body, tag, notification_id: notificationId, data: rest })
}

export function measurePayload(push: Unaddressed): number {
  return Buffer.byteLength(encodePayload(push)) + ENCRYPTION_BYTES
}

/**
 * A push service replaces a waiting push of the same topic. One that nothing replaces has none: Google holds four
 * topics of a browser that is away and drops the others, and a double is merged by its tag.
 */
export function encodeHeaders({ content: { urgent, mergeKey }, expiresAt }: Push, now: number) {
  return {
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(Math.max(Math.floor((expiresAt.getTime() - now) / 1_000), 0)),
    urgency: urgent ? 'high' : 'normal',
    ...(mergeKey !== null && { topic: hash('sha256', mergeKey, 'base64url').slice(0, TOPIC_CHARACTERS) }),
  }
}
