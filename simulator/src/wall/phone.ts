import type { Kind, Platform, Push } from './push.ts'

/** What the app on a phone has open: the home of the app, or what a tapped banner led to. */
export type Screen = { heading: string; link: string | null; lines: string[] }

/** A banner, newest first on its phone. `copies` counts the pushes that were merged into it. */
export type Banner = Push & { key: number; copies: number; chip: Chip | null }

/** Why a banner is more than a plain new one. */
export type Chip = 'same push again, merged' | 'same push shown twice' | 'replaced an earlier one'

/** The user who is signed in on a phone. The token never leaves this process. */
export type Session = { token: string; userId: number; name: string; email: string }

export type Phone = {
  id: number
  platform: Platform
  kind: Kind
  name: string
  /** Whom the sign-in button signs in; null for a phone that is only watched. */
  account: { email: string; password: string } | null
  /** The app's own identifier of the phone; it survives a reinstall. */
  deviceId: string | null
  /** The push token of the installed app, or a browser's subscription. */
  token: string
  session: Session | null
  isOnline: boolean
  hasApp: boolean
  badge: number
  banners: Banner[]
  /** Pushes that wait until the phone is online. */
  waiting: Push[]
  screen: Screen | null
  /** One sentence about what happened last. */
  note: string | null
  /** Calls of the app that are under way; each waits for the one before. */
  line: { waiting: number; last: Promise<unknown> }
  /** Calls that the app makes when the phone is online again. */
  deferred: (() => Promise<void>)[]
}

export type NewPhone = Pick<Phone, 'id' | 'platform' | 'kind' | 'name' | 'account' | 'token'>

const MOST_BANNERS = 10
const MOST_DEFERRED = 50
// FCM stores 100 messages for a phone that is off; APNs stores only the latest one of each app.
const MOST_WAITING = { ios: 1, android: 100, web: 100 } as const satisfies Record<Platform, number>
const KEEPERS = { ios: 'Apple', android: 'Google', web: 'the maker of the browser' } as const satisfies Record<
  Platform,
  string
>

/** A phone that is on, with the app installed and nobody signed in. */
export function newPhone(given: NewPhone): Phone {
  return {
    ...given,
    deviceId: null,
    session: null,
    isOnline: true,
    hasApp: true,
    badge: 0,
    banners: [],
    waiting: [],
    screen: null,
    note: null,
    line: { waiting: 0, last: Promise.resolve() },
    deferred: [],
  }
}

/**
 * Brings a push to a phone: shown at once, or kept until the phone is online. A phone without the app gets nothing.
 * `key` names the banner.
 */
export function receive(phone: Phone, push: Push, key: number): void {
  if (!phone.hasApp) return
  if (phone.isOnline) show(phone, push, key)
  else keep(phone, push)
}

/**
 * Takes a phone offline, or brings it back and shows what waited and has not expired at `now` (Unix ms). `nextKey`
 * names banners.
 */
export function setOnline(phone: Phone, isOnline: boolean, now: number, nextKey: () => number): void {
  if (phone.isOnline === isOnline) return
  phone.isOnline = isOnline
  phone.note = isOnline ? 'Online again.' : `Offline: pushes wait at ${KEEPERS[phone.platform]}.`
  if (!isOnline) return
  const waited = phone.waiting
  phone.waiting = []
  const valid = waited.filter(({ expiresAt }) => expiresAt > now)
  for (const push of valid) show(phone, push, nextKey())
  const expired = waited.length - valid.length
  if (valid.length > 0) phone.note = `Online again: ${counted(valid.length, 'push', 'pushes')} came late.`
  if (expired > 0) phone.note += ` ${counted(expired, 'push', 'pushes')} had expired and will not be shown.`
}

/** Takes a banner off the phone and returns it; undefined when it is not there any more. */
export function takeBanner(phone: Phone, key: number): Banner | undefined {
  const index = phone.banners.findIndex((banner) => banner.key === key)
  return index < 0 ? undefined : phone.banners.splice(index, 1)[0]
}

/** Removes everything that belonged to the user or the installed app. */
export function wipe(phone: Phone): void {
  Object.assign(phone, { session: null, badge: 0, banners: [], waiting: [], screen: null, deferred: [] })
}

/** Keeps a call for when the phone is online; the oldest is dropped when there are too many. */
export function defer(phone: Phone, call: () => Promise<void>): void {
  phone.deferred.push(call)
  if (phone.deferred.length > MOST_DEFERRED) phone.deferred.shift()
}

/** A push without title and body is not shown: it only sets the badge. */
function show(phone: Phone, push: Push, key: number): void {
  if (push.badge !== null) phone.badge = push.badge
  if (push.title === null && push.body === null) return
  const replaced = push.slot === null ? undefined : phone.banners.find(({ slot }) => slot === push.slot)
  const isSame = (shown: Banner) => push.notificationId !== null && shown.notificationId === push.notificationId
  const twin = replaced && isSame(replaced) ? replaced : phone.banners.find(isSame)
  const copies = (replaced?.copies ?? 0) + 1
  const banner = { ...push, key, copies, chip: chooseChip(replaced, twin) }
  phone.banners = [banner, ...phone.banners.filter((shown) => shown !== replaced)].slice(0, MOST_BANNERS)
}

function chooseChip(replaced: Banner | undefined, twin: Banner | undefined): Chip | null {
  if (twin) return twin === replaced ? 'same push again, merged' : 'same push shown twice'
  return replaced ? 'replaced an earlier one' : null
}

function keep(phone: Phone, push: Push): void {
  const others = phone.waiting.filter(({ collapse }) => collapse === null || collapse !== push.collapse)
  const most = MOST_WAITING[phone.platform]
  const keeper = KEEPERS[phone.platform]
  if (others.length >= most)
    phone.note = `Offline: ${keeper} keeps ${most === 1 ? 'the latest push only' : `${most} pushes`}; an earlier one is gone.`
  phone.waiting = [...others, push].slice(-most)
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
