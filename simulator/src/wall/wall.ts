import { randomBytes } from 'node:crypto'
import { createAppCalls, type AppCalls } from './app-calls.ts'
import { newPhone, receive, type Phone } from './phone.ts'
import { PLATFORMS_OF, readPush, type Kind, type Message, type Platform } from './push.ts'
import { createTraffic, type Traffic } from './traffic.ts'

/** The phones that a page shows, and what reaches them. */
export type Wall = {
  phones: Map<number, Phone>
  /** Phones by the push token of their app. */
  byToken: Map<string, Phone>
  /** Ids of phones that changed, were added or removed since the last update of the pages. */
  changed: Set<number>
  /** What Swapbell asked of the provider lately. */
  traffic: Traffic
  /** The trial to whose users the phones belong; null when the simulator runs alone. */
  trial: Trial | null
  /** The latest accepted messages of a wall without a trial; their tokens become watched phones when a page looks. */
  recent: Message[]
  /** Makes the push token of a new app, for each kind of phone that can be had. */
  tokens: NewToken
  nextId: number
  nextKey: number
  /** Shown banners that must be reported to Swapbell. */
  shown: { phone: Phone; notificationId: string }[]
}

/** The API where the phones sign in, and their users. */
export type Trial = {
  /** Address of the API without a slash at its end; the panel is there too. */
  api: string
  calls: AppCalls
  /** E-mail addresses of demonstration users who have no phone on the wall yet. */
  people: string[]
  password: string
}

type NewToken = { expo(id: number): string } & Partial<Record<Kind, (id: number) => string>>

/** How a phone of an account is reached. */
export type Reach = { platform: Platform; kind: Kind }

export const MOST_PHONES = 200

export const NAMES: Readonly<Record<Platform, string>> = { ios: 'iPhone', android: 'Android phone', web: 'browser' }

const MOST_WATCHED = 60
const RECENT_KEPT = 300
const MOST_SHOWN = 1_000

export function createWall(): Wall {
  return {
    phones: new Map(),
    byToken: new Map(),
    changed: new Set(),
    traffic: createTraffic(),
    trial: null,
    recent: [],
    tokens: { expo: newToken },
    nextId: 1,
    nextKey: 1,
    shown: [],
  }
}

/** Lets phones sign in at the API; watched phones go. */
export function openTrial(wall: Wall, trial: Omit<Trial, 'calls'>): void {
  for (const phone of wall.phones.values()) if (phone.account === null) removePhone(wall, phone)
  wall.recent = []
  wall.trial = { ...trial, calls: createAppCalls(trial.api) }
}

/**
 * Takes what the provider accepted. Only a phone on the wall keeps it, so a campaign to very many users costs little.
 */
export function arrive(wall: Wall, message: Message): void {
  const phone = wall.byToken.get(message.token)
  if (phone) return deliver(wall, phone, message)
  if (wall.trial !== null) return
  wall.recent.push(message)
  if (wall.recent.length >= 2 * RECENT_KEPT) wall.recent.splice(0, RECENT_KEPT)
}

/** Makes a phone of each token that got one of the latest messages, where there is no trial; the 60 latest stay. */
export function watchRecent(wall: Wall): void {
  const messages = wall.recent.splice(0).slice(-RECENT_KEPT)
  for (const message of messages) {
    const phone = wall.byToken.get(message.token) ?? addWatched(wall, message)
    deliver(wall, phone, message)
  }
  const watched = [...wall.phones.values()].filter(({ account }) => account === null)
  for (const phone of watched.slice(0, -MOST_WATCHED)) removePhone(wall, phone)
}

/** Adds a phone of an account of the trial; nobody is signed in on it yet. */
export function addPhone(wall: Wall, reach: Reach, account: { email: string; password: string }): Phone {
  const id = wall.nextId++
  const name = `${NAMES[reach.platform]} ${id}`
  return put(wall, newPhone({ id, ...reach, name, account, token: makeToken(wall, reach.kind, id) }))
}

export function removePhone(wall: Wall, phone: Phone): void {
  wall.phones.delete(phone.id)
  wall.byToken.delete(phone.token)
  wall.changed.add(phone.id)
}

/** Gives the app of a phone a new push token, as a reinstall does. */
export function renewToken(wall: Wall, phone: Phone): void {
  wall.byToken.delete(phone.token)
  phone.token = makeToken(wall, phone.kind, phone.id)
  wall.byToken.set(phone.token, phone)
}

/** Clears every phone's screen and the list of requests; the phones stay signed in. */
export function clearWall(wall: Wall): void {
  wall.traffic = createTraffic()
  wall.recent = []
  for (const phone of wall.phones.values()) {
    if (phone.account === null) removePhone(wall, phone)
    Object.assign(phone, { banners: [], waiting: [], badge: 0, screen: null, note: null })
    wall.changed.add(phone.id)
  }
}

function deliver(wall: Wall, phone: Phone, message: Message): void {
  const push = readPush(message, phone.platform)
  const key = wall.nextKey++
  receive(phone, push, key)
  wall.changed.add(phone.id)
  if (phone.banners[0]?.key === key) noteDisplay(wall, phone, push.notificationId)
}

/** Remembers a shown banner that must be reported to Swapbell; drops the oldest when there are too many. */
export function noteDisplay(wall: Wall, phone: Phone, notificationId: string | null): void {
  if (notificationId === null || !phone.session) return
  wall.shown.push({ phone, notificationId })
  if (wall.shown.length > MOST_SHOWN) wall.shown.shift()
}

/** One of Expo's is an Android phone when the message has a tag and no collapse id. */
function addWatched(wall: Wall, { provider, token, fields }: Message): Phone {
  const isAndroid = fields['collapseId'] === undefined && fields['tag'] !== undefined
  const platform = provider === 'expo' ? (isAndroid ? 'android' : 'ios') : PLATFORMS_OF[provider][0]
  const name = `Phone ${masked(token)}`
  return put(wall, newPhone({ id: wall.nextId++, platform, kind: provider, name, account: null, token }))
}

function put(wall: Wall, phone: Phone): Phone {
  wall.phones.set(phone.id, phone)
  wall.byToken.set(phone.token, phone)
  wall.changed.add(phone.id)
  return phone
}

function newToken(id: number): string {
  return `ExponentPushToken[wall-${id}-${randomBytes(9).toString('base64url').replaceAll(/[-_]/g, '0')}]`
}

function makeToken({ tokens }: Wall, kind: Kind, id: number): string {
  const make = tokens[kind]
  if (!make) throw new TypeError(`There is no provider for ${kind}`)
  return make(id)
}

/** The last characters inside the brackets or of the browser's address, six or half. No page sees more of a token. */
export function masked(token: string): string {
  const inside = /"endpoint":"([^"]*)"/.exec(token)?.[1] ?? token.replace(/^.*\[|\]$/g, '')
  return `…${inside.slice(-Math.min(6, Math.ceil(inside.length / 2)))}`
}
