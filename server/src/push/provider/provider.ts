import type { Platform } from '../../platform/tables/tables.ts'

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

/** Its merge key, else its notification, names one banner on every attempt, so that the phone merges a double (B6). */
export type Push = {
  to: string
  platform: Platform
  notificationId: number
  content: PushContent
  expiresAt: Date
  /** The badge at the time of sending, for an iPhone (ADR 6). */
  badge?: number
}

/** Accepted: a ticket exists; refused: surely not accepted, with `retry` perhaps later; unknown: it may have been. */
export type PushOutcome =
  | { kind: 'accepted'; ticketId: string }
  | { kind: 'refused'; code: ErrorCode; retry: boolean }
  | { kind: 'unknown'; code: ErrorCode }

/** The provider's own state, for the breaker: a refusal of one push is still a healthy answer. */
export type Health =
  | { kind: 'healthy' }
  | { kind: 'busy'; retryAfterMs: number }
  | { kind: 'failing'; code: ErrorCode }
  | { kind: 'misconfigured'; code: ErrorCode }

/** Both are in the order of the pushes. `wasSent`: whether a request with the push was. */
export type SubmitAnswer = { outcomes: PushOutcome[]; wasSent: boolean[]; health: Health }

export type Receipt = { status: 'ok' } | { status: 'error'; code: ErrorCode }

/** An absent receipt is not a failure. */
export type ReceiptAnswer = { receipts: Map<string, Receipt>; health: Health }

export type Provider = {
  readonly name: string
  /** One request carries at most this many. */
  readonly maxPushes: number
  ownsToken(token: string): boolean
  /** Bytes of the payload as sent, without the address. */
  payloadBytes(push: Omit<Push, 'to'>): number
  /** Never rejects. A request that `mayBegin` forbids is not made, and its pushes are refused with a retry. */
  submit(pushes: Push[], mayBegin?: () => boolean | Promise<boolean>): Promise<SubmitAnswer>
  /** A harmless request: does the provider answer with these credentials? */
  probe(): Promise<Health>
  close(): Promise<void>
} & (WithReceipts | { readonly deliveryKnown: 'at once' })

export type WithReceipts = {
  readonly deliveryKnown: 'by receipt'
  readonly maxReceipts: number
  fetchReceipts(ticketIds: string[], signal?: AbortSignal): Promise<ReceiptAnswer>
}

/** What `error_message` may hold (decision B12); never a provider's raw text, which quotes push tokens. */
export const ERROR_CODES = [
  'DeviceNotRegistered',
  'InvalidCredentials',
  'MessageTooBig',
  'MessageRateExceeded',
  'MismatchSenderId',
  'DeveloperError',
  'ExpoError',
  'ProviderError',
  'ProviderUnavailable',
  'RateLimited',
  'Unauthorized',
  'RequestRefused',
  'OutcomeUnknown',
  'ReceiptExpired',
  'MessageExpired',
  'MessageStale',
  'DeviceMoved',
  'RecipientUnavailable',
  'Stopped',
  'WorkerFailed',
  'UnknownError',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

const ABOUT_ONE_PUSH: readonly ErrorCode[] = ['DeviceNotRegistered', 'InvalidCredentials', 'MismatchSenderId']

/** Said of one push by Apple or Google, so that it counts among the results of the platform. */
export function isAboutOnePush(code: ErrorCode): boolean {
  return ABOUT_ONE_PUSH.includes(code)
}
