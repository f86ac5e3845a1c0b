import type { State } from '../state.ts'
import { listKinds, listPlatformKinds } from './kinds.ts'
import { MODES, type Mode } from './modes.ts'
import type { Chip, Phone, Screen } from './phone.ts'
import { currentMode } from '../direct/doubles.ts'
import type { Kind, Platform, Provider } from './push.ts'
import type { TrafficLine } from './traffic.ts'
import { masked, type Wall } from './wall.ts'

/** A phone as the page sees it: never a password, an access token or a whole push token. */
export type PhoneView = {
  id: number
  platform: Platform
  kind: Kind
  /** The kinds that it can have; none for a phone that is only watched. */
  kinds: Kind[]
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
  /** Who brought it. */
  provider: Provider
  /** The name under which another push takes its place. */
  slot: string | null
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
  /** The kinds of phones that can be added. */
  kinds: Kind[]
  traffic: TrafficLine[]
  /** Address of the API and its panel; null when the simulator runs alone. */
  api: string | null
  /** Whether there are demonstration users without a phone on the wall. */
  hasMorePeople: boolean
}

/** The view of the phones with these ids, or of all. */
export function toView(state: State, ids?: Iterable<number>): WallView {
  const { wall, ledger, counts, direct } = state
  const requested = ids === undefined ? [...wall.phones.keys()] : [...ids]
  const found = requested.flatMap((id) => wall.phones.get(id) ?? [])
  return {
    all: ids === undefined,
    phones: found.map((phone) => phoneView(wall, phone)),
    gone: requested.filter((id) => !wall.phones.has(id)),
    totals: {
      accepted: ledger.count,
      duplicates: ledger.duplicates,
      refused: counts.errorTickets + counts.refusedMessages + (direct?.counts.refused ?? 0),
      requests: counts.sendRequests + (direct?.counts.requests ?? 0),
    },
    mode: currentMode(state),
    modes: MODES,
    kinds: listKinds(wall),
    traffic: wall.traffic.lines,
    api: wall.trial?.api ?? null,
    hasMorePeople: (wall.trial?.people.length ?? 0) > 0,
  }
}

export function phoneView(wall: Wall, phone: Phone): PhoneView {
  const { id, platform, kind, name, session, isOnline, hasApp, badge, screen, note } = phone
  return {
    id,
    platform,
    kind,
    kinds: phone.account === null ? [] : listPlatformKinds(wall, platform),
    name,
    user: session && { name: session.name, email: session.email },
    account: phone.account?.email ?? null,
    token: masked(phone.token),
    isOnline,
    hasApp,
    isBusy: phone.line.waiting > 0,
    badge,
    banners: phone.banners.map(({ key, time, title, body, copies, chip, provider, slot }) => {
      return { key, time, title, body, copies, chip, provider, slot }
    }),
    waiting: phone.waiting.length,
    screen,
    note,
  }
}
