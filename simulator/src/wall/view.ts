import type { State } from '../state.ts'
import { MODES, findMode, type Mode } from './modes.ts'
import type { Chip, Phone, Screen } from './phone.ts'
import type { Platform } from './push.ts'
import type { TrafficLine } from './traffic.ts'
import { masked } from './wall.ts'

/** A phone as the page sees it: never a password, an access token or a whole push token. */
export type PhoneView = {
  id: number
  platform: Platform
  name: string
  /** Who is signed in. */
  user: { name: string; email: string } | null
  /** Whom the sign-in button signs in; null for a phone that is only watched. */
  account: string | null
  /** The last characters of the push token. */
  token: string
  isOnline: boolean
  hasApp: boolean
  /** Whether a call of the app is under way. */
  isBusy: boolean
  badge: number
  banners: BannerView[]
  /** How many pushes wait until it is online. */
  waiting: number
  screen: Screen | null
  note: string | null
}

export type BannerView = {
  key: number
  time: number
  title: string | null
  body: string | null
  copies: number
  chip: Chip | null
}

/** The data for the page: everything at first, then the phones that changed. */
export type WallView = {
  /** True: forget the phones you know. */
  all: boolean
  phones: PhoneView[]
  /** Ids of phones that went. */
  gone: number[]
  totals: { accepted: number; duplicates: number; refused: number; requests: number }
  mode: Mode
  modes: readonly Mode[]
  traffic: TrafficLine[]
  /** Address of the API and its panel; null when the simulator runs alone. */
  api: string | null
  /** Whether there are demonstration users without a phone on the wall. */
  hasMorePeople: boolean
}

/** The view of the phones with these ids, or of all. */
export function toView(state: State, ids?: Iterable<number>): WallView {
  const { wall, ledger, counts, script } = state
  const requested = ids === undefined ? [...wall.phones.keys()] : [...ids]
  const found = requested.flatMap((id) => wall.phones.get(id) ?? [])
  return {
    all: ids === undefined,
    phones: found.map(phoneView),
    gone: requested.filter((id) => !wall.phones.has(id)),
    totals: {
      accepted: ledger.count,
      duplicates: ledger.duplicates,
      refused: counts.errorTickets + counts.refusedMessages,
      requests: counts.sendRequests,
    },
    mode: findMode(script),
    modes: MODES,
    traffic: wall.traffic.lines,
    api: wall.trial?.api ?? null,
    hasMorePeople: (wall.trial?.people.length ?? 0) > 0,
  }
}

export function phoneView(phone: Phone): PhoneView {
  const { id, platform, name, session, isOnline, hasApp, badge, screen, note } = phone
  return {
    id,
    platform,
    name,
    user: session && { name: session.name, email: session.email },
    account: phone.account?.email ?? null,
    token: masked(phone.token),
    isOnline,
    hasApp,
    isBusy: phone.line.waiting > 0,
    badge,
    banners: phone.banners.map(({ key, time, title, body, copies, chip }) => ({
      key,
      time,
      title,
      body,
      copies,
      chip,
    })),
    waiting: phone.waiting.length,
    screen,
    note,
  }
}
