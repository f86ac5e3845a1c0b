import type { TObject } from 'typebox'
import type { Clock } from '../../platform/shared/clock.ts'
import type { Log } from '../../platform/shared/log.ts'
import type { Platform } from '../../platform/tables/tables.ts'

export const TOKEN_TYPES = ['expo', 'apns', 'fcm', 'web'] as const
export type TokenType = (typeof TOKEN_TYPES)[number]
export const ENVIRONMENTS = ['production', 'sandbox'] as const
export type Environment = (typeof ENVIRONMENTS)[number]

/** The same object for every copy of a message, so that an adapter may prepare it once. */
export type PushContent = {
  title: string
  body: string
  data: Record<string, unknown> | null
  /** Wakes a dozing phone: for transactional messages. */
  urgent: boolean
  /** Replaces the banner of an earlier message with the same key. Null: none. */
  mergeKey: string | null
}

/** The banner's identity is its merge key, or else the notification's id, so that a phone shows a double once (B6). */
export type Push = {
  to: string
  platform: Platform
  /** The copy's id, the same on every attempt. */
  notificationId: number
  content: PushContent
  expiresAt: Date
  /** The badge at the time of sending, for an iPhone (ADR 6). */
  badge?: number | undefined
  /** Its token was accepted before and not refused last; a quarantine connection is for the others. */
  isProven: boolean
}

/** Asked just before a request begins: whether it still may. */
export type MayBegin = () => boolean | Promise<boolean>

/** The outcome of a push that surely did not leave: it waits, and no attempt is used. */
export const GIVEN_BACK = { kind: 'refused', code: 'ProviderUnavailable', retry: true } as const satisfies PushOutcome

/** A request that left without an answer that proves anything (decision B5). */
export const UNKNOWN = { kind: 'unknown', code: 'OutcomeUnknown' } as const satisfies PushOutcome

/** The health of a provider that was not reached, or in whose place another program answered. */
export const UNREACHED = { kind: 'failing', code: 'ProviderUnavailable' } as const satisfies Health

/** Called with the outcome of each push as it comes, by its place among them. */
export type OnOutcome = (place: number, outcome: PushOutcome) => void

/**
 * How the rate climbs to the full one: from `from` pushes a second, in so many seconds of sending. While less is sent
 * it goes back as fast.
 */
export type Climb = { from: number; seconds: number }

/** A push that is only measured. */
export type Unaddressed = Omit<Push, 'to' | 'isProven'>

/**
 * Accepted: a ticket exists; refused: surely not accepted, with `retry` perhaps later; unknown: it may have been.
 * `retryAfterMs` only lengthens the wait of this copy. `isFree`: no attempt is used. `goneSince`: a device that
 * registered later stays.
 */
export type PushOutcome =
  | { kind: 'accepted'; ticketId: string }
  | { kind: 'refused'; code: ErrorCode; retry: boolean; retryAfterMs?: number; isFree?: true; goneSince?: Date }
  | { kind: 'unknown'; code: ErrorCode }

/** The provider's own state after a submission, for the breaker: a refusal of one push is still a healthy answer.
 * `advice`: a sentence for the alert that names the reason and what to do, without tokens or keys. */
export type Health =
  | { kind: 'healthy' }
  | { kind: 'busy'; retryAfterMs: number }
  | { kind: 'failing'; code: ErrorCode }
  | { kind: 'misconfigured'; code: ErrorCode; advice?: string }

/** Both are in the order of the pushes. `wasSent`: whether a request with the push was. */
export type SubmitAnswer = { outcomes: PushOutcome[]; wasSent: boolean[]; health: Health }

export type Receipt = { status: 'ok' } | { status: 'error'; code: ErrorCode }

/** An absent receipt is not a failure. */
export type ReceiptAnswer = { receipts: Map<string, Receipt>; health: Health }

export type Provider = {
  readonly name: string
  /** The platforms of its phones; the first is that of a phone which names none. */
  readonly platforms: readonly [Platform, ...Platform[]]
  /** One submission carries at most this many. */
  readonly maxPushes: number
  /** Whether it removes a device that is of another sender, as Expo asks; absent: `DeviceNotRegistered` alone does. */
  readonly removesMismatched?: true
  /** Whether it is kept which of its tokens are proven; absent: all count as proven. */
  readonly needsProven?: true
  /** A provider that asks senders to climb also after a pause has one; absent: they climb after an outage alone. */
  readonly climb?: Climb
  /** A page subscribes its browser to this provider with it; absent: it needs none. */
  readonly publicKey?: string
  /** Whether the token has the form of its tokens: its instance says their type, app and environment. */
  owns(token: string): boolean
  /** The form in which a token that it owns is stored, so that one phone has one; absent: as it came. */
  toStored?(token: string): string
  /** The beginning that all stored tokens of one phone have; absent: it has one token. */
  phoneOf?(stored: string): string
  /** Bytes of the payload as sent, without the address. */
  payloadBytes(push: Unaddressed): number
  /**
   * Never rejects. A request that `mayBegin` forbids is not made, and its pushes are refused with a retry. Where each
   * push is a request, `onOutcome` tells of it before the others are answered.
   */
  submit(pushes: Push[], mayBegin?: MayBegin, onOutcome?: OnOutcome): Promise<SubmitAnswer>
  /** A harmless request: does the provider answer with these credentials? */
  probe(): Promise<Health>
  close(): Promise<void>
} & (WithReceipts | { readonly deliveryKnown: 'at once' })

export type WithReceipts = {
  readonly deliveryKnown: 'by receipt'
  readonly maxReceipts: number
  fetchReceipts(ticketIds: string[], signal?: AbortSignal): Promise<ReceiptAnswer>
}

/** What a kind is given beside its settings. `name`: of the provider, such as `apns/swapbell/production`. */
export type ProviderGround = {
  name: string
  key: string
  ca?: string | undefined
  timeoutMs: number
  log: Log
  clock: Clock
  share: ShareToken
}

/**
 * The token that all processes use, signed anew once it is older than `freshForMs`; one process signs, and the others
 * read it in the database, where it is sealed. `about`: what it is for, such as an origin; absent: for all of its key.
 */
export type ShareToken = (
  sign: (now: Date) => string | Promise<string>,
  freshForMs: number,
  about?: string,
) => Promise<{ token: string; signedAt: Date }>

/** A kind of provider: a folder exports it, and `registry.ts` has a line for it. */
export type Kind<Settings> = {
  readonly kind: TokenType
  /** Its entry in PUSH_PROVIDERS_FILE without `kind`. The `key` settings name a file or a variable, never a value. */
  readonly settings: TObject
  /** The settings that name the key's file and its variable, such as `key_file` and `key_variable`. */
  readonly key: { file: string; variable: string }
  /** The forms of its push tokens, which the log leaves out. */
  readonly tokens: readonly RegExp[]
  /** What is wrong with settings of the right form, with what to do: a sentence each, without the key. */
  faults(settings: Settings, key: string): string[]
  create(settings: Settings, ground: ProviderGround): Provider
}

/** The codes of ends that no provider gave. */
export const OWN_CODES = [
  'OutcomeUnknown',
  'ReceiptExpired',
  'MessageExpired',
  'MessageStale',
  'DeviceMoved',
  'RecipientUnavailable',
  'Stopped',
  'WorkerFailed',
] as const

/** What `error_message` may hold (decision B12); never a provider's raw text, which quotes push tokens. */
export const ERROR_CODES = [
  'DeviceNotRegistered',
  'InvalidCredentials',
  'MessageTooBig',
  'MessageRateExceeded',
  'MismatchSenderId',
  'BadDeviceToken',
  'DeviceTokenNotForTopic',
  'DeveloperError',
  'ExpoError',
  'ProviderError',
  'ProviderUnavailable',
  'RateLimited',
  'Unauthorized',
  'RequestRefused',
  ...OWN_CODES,
  'UnknownError',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

const ABOUT_A_TOKEN: readonly ErrorCode[] = [
  'DeviceNotRegistered',
  'MismatchSenderId',
  'BadDeviceToken',
  'DeviceTokenNotForTopic',
]

/** Said of a token, so that it may be the fault of one phone. */
export function isAboutToken(code: ErrorCode): boolean {
  return ABOUT_A_TOKEN.includes(code)
}

/** Said of one push by Apple or Google, so that it counts among the results of the platform. */
export function isAboutOnePush(code: ErrorCode): boolean {
  return isAboutToken(code) || code === 'InvalidCredentials'
}
