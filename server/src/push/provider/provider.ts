import type { Platform } from '../../platform/tables/tables.ts'

/** What is said: the same object for every copy of a message, so that an adapter may prepare it once. */
export type PushContent = {
  title: string
  body: string
  data: Record<string, unknown> | null
  /** Wakes a dozing phone: for transactional messages. */
  urgent: boolean
  /** What it replaces on the phone: the banner of an earlier message with the same key. Null: none. */
  mergeKey: string | null
}

/**
 * One push for one device. The phone shows one banner for all pushes of an identity: that of the content, else the
 * notification's own; it is the same on each attempt (decision B6), so that the phone merges a double.
 */
export type Push = {
  to: string
  platform: Platform
  notificationId: number
  content: PushContent
  expiresAt: Date
  /** The number on the app's icon, with every push to an iPhone: what is unread as the push leaves (ADR 043). */
  badge?: number
}

/**
 * What became of one push: accepted (a ticket exists), refused (surely not accepted), or unknown (it may have been).
 * `retry` says whether the same push may be accepted later.
 */
export type PushOutcome =
  | { kind: 'accepted'; ticketId: string }
  | { kind: 'refused'; code: ErrorCode; retry: boolean }
  | { kind: 'unknown'; code: ErrorCode }

/** How the provider itself did, for the breaker: a refusal of one push is still a healthy answer. */
export type Health =
  | { kind: 'healthy' }
  | { kind: 'busy'; retryAfterMs: number }
  | { kind: 'failing'; code: ErrorCode }
  | { kind: 'misconfigured'; code: ErrorCode }

/**
 * One outcome for each push, in order; never rejects for anything the provider or the network does. `left` says of each
 * push whether a request with it left this process.
 */
export type SubmitAnswer = { outcomes: PushOutcome[]; left: boolean[]; health: Health }

export type Receipt = { status: 'ok' } | { status: 'error'; code: ErrorCode }

/** The receipts that exist among those asked for; an absent one is not a failure. */
export type ReceiptAnswer = { receipts: Map<string, Receipt>; health: Health }

export type Provider = {
  /** Its name in the registry, in the database and in answers. */
  readonly name: string
  /** Pushes of one request at most. */
  readonly maxPushes: number
  /** True when `token` has this provider's form. */
  ownsToken(token: string): boolean
  /** Bytes of the payload as sent, without the address. */
  payloadBytes(push: Omit<Push, 'to'>): number
  /** May take several requests; one that `mayBegin` forbids is not made, and its pushes are refused with a retry. */
  submit(pushes: Push[], mayBegin?: () => boolean | Promise<boolean>): Promise<SubmitAnswer>
  /** Asks something harmless: does the provider answer at all, with these credentials? */
  probe(): Promise<Health>
  close(): Promise<void>
} & (WithReceipts | { readonly deliveryKnown: 'at once' })

/**
 * How a provider tells of delivery: with the ticket (`at once`: what it accepted is delivered), or by a later receipt.
 */
export type WithReceipts = {
  readonly deliveryKnown: 'by receipt'
  /** Receipts of one request at most. */
  readonly maxReceipts: number
  fetchReceipts(ticketIds: string[], signal?: AbortSignal): Promise<ReceiptAnswer>
}

/**
 * The codes that `error_message` may hold (decision B12): stable, ours or the provider's own, never its raw text, which
 * quotes push tokens.
 */
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

/** Codes that are about this service's configuration, never about a device (decision B13). */
export function isConfigurationFault(code: ErrorCode): boolean {
  return code === 'InvalidCredentials' || code === 'MismatchSenderId' || code === 'Unauthorized'
}
