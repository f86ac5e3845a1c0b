import { createECDH, randomBytes } from 'node:crypto'
import type { AcceptedPush } from './push.ts'
import type { BrowserKeys } from './decrypt.ts'

/** A browser's subscription, with what waits for the browser while it is away. */
export type Subscription = {
  endpoint: string
  /** The key that alone may push to it; null: any. */
  applicationServerKey: string | null
  keys: BrowserKeys
  isGone: boolean
  isOnline: boolean
  waiting: Waiting[]
  onPush: ((push: AcceptedPush) => void) | undefined
}

type Subscriber = { applicationServerKey?: string | null; onPush?: ((push: AcceptedPush) => void) | undefined }
type Waiting = { push: AcceptedPush; until: number }

/** Gives `JSON.stringify(await pushManager.subscribe(…))`, with the keys in the order of Swapbell's tokens. */
export function describe({ endpoint, keys }: Subscription): string {
  const [p256dh, auth] = [keys.pair.getPublicKey(), keys.auth].map((bytes) => bytes.toString('base64url'))
  return JSON.stringify({ endpoint, keys: { p256dh, auth } })
}

export function createSubscription(origin: string, { applicationServerKey = null, onPush }: Subscriber): Subscription {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const endpoint = `${origin}/push/${randomBytes(48).toString('base64url')}`
  const keys = { pair, auth: randomBytes(16) }
  return { endpoint, applicationServerKey, keys, isGone: false, isOnline: true, waiting: [], onPush }
}

/** Hands a push to the browser, or keeps it while that is away: one of the same topic replaces one that waits. */
export function deliver(subscription: Subscription, push: AcceptedPush): void {
  if (subscription.isOnline) return subscription.onPush?.(push)
  if (push.topic !== null)
    subscription.waiting = subscription.waiting.filter(({ push: own }) => own.topic !== push.topic)
  if (push.ttl > 0) subscription.waiting.push({ push, until: push.time + push.ttl * 1_000 })
}

/** The browser is back: it gets what still waits, in the order of arrival. */
export function comeBack(subscription: Subscription, now: number): AcceptedPush[] {
  const pushes = subscription.waiting.filter(({ until }) => until > now).map(({ push }) => push)
  Object.assign(subscription, { isOnline: true, waiting: [] })
  for (const push of pushes) subscription.onPush?.(push)
  return pushes
}
