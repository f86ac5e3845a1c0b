import { isRecord, isString } from '../json.ts'
import { decrypt } from './decrypt.ts'
import type { Subscription } from './subscriptions.ts'
import { readSender } from './vapid.ts'
import { refuse, type Vendor } from './vendors.ts'

/** One accepted push, as in the log. */
export type AcceptedPush = {
  /** 1 for the first since the start. */
  sequence: number
  /** Unix milliseconds. */
  time: number
  endpoint: string
  topic: string | null
  urgency: string
  /** Seconds. */
  ttl: number
  /** The length of the body. */
  bytes: number
  /** The text's notification; null when it has none or cannot be decrypted. */
  notification_id: string | number | null
  /** Undefined: the browser could not decrypt it. */
  text: string | undefined
}

/** A request to the push service, whatever the protocol. */
export type PushRequest = {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}
export type PushReply = { status: number; headers?: Record<string, string>; body?: string }

/** What the service knows when it reads a request. */
export type Service = {
  origin: string
  vendor: Vendor
  now: number
  subscriptions: ReadonlyMap<string, Subscription>
  /** When each token of a sender came first. */
  tokens: Map<string, { key: string; firstAt: number }>
}

// RFC 8030: a service must take 4,096 bytes, and all of them take no more.
const MOST_BYTES = 4_096
const TOPIC = /^[\w-]{1,32}$/

/** Checks a request; gives the refusal, or what is to be written in the ledger. */
export function readPush(
  service: Service,
  { method, path, headers, body }: PushRequest,
): PushReply | Omit<AcceptedPush, 'sequence'> {
  const { origin, vendor, now, tokens, subscriptions } = service
  if (method !== 'POST') return { status: 405 }
  const endpoint = origin + path
  const subscription = subscriptions.get(endpoint)
  if (subscription === undefined) return refuse(vendor, 'unknown')
  const sender = readSender(text(headers['authorization']), { origin, now })
  if ('fault' in sender) return refuse(vendor, sender.fault)
  if (!tokens.has(sender.token)) tokens.set(sender.token, { key: sender.key, firstAt: now })
  const { applicationServerKey } = subscription
  if (applicationServerKey !== null && applicationServerKey !== sender.key) return refuse(vendor, 'other-key')
  if (subscription.isGone) return refuse(vendor, 'gone')
  const ttl = text(headers['ttl']) ?? ''
  if (!/^\d{1,9}$/.test(ttl)) return refuse(vendor, 'ttl')
  const topic = text(headers['topic']) ?? null
  if (topic !== null && !TOPIC.test(topic)) return refuse(vendor, 'topic')
  if (body.length > MOST_BYTES) return refuse(vendor, 'too-large')
  if (body.length > 0 && headers['content-encoding'] !== 'aes128gcm') return refuse(vendor, 'encoding')
  const read = decrypt(body, subscription.keys)
  const urgency = text(headers['urgency']) ?? 'normal'
  const head = { time: now, endpoint, topic, urgency, ttl: Number(ttl), bytes: body.length }
  return { ...head, notification_id: readId(read), text: read }
}

function readId(read = ''): string | number | null {
  try {
    const value: unknown = JSON.parse(read)
    const id = isRecord(value) ? value['notification_id'] : null
    return isString(id) || typeof id === 'number' ? id : null
  } catch {
    return null
  }
}

function text(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}
