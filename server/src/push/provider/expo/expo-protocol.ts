import { parseJson, readField } from '../../../platform/shared/json.ts'
import type { HttpAnswer } from '../http/request.ts'
import { readRetryAfter } from '../http/retry-after.ts'
import {
  UNKNOWN,
  UNREACHED,
  type ErrorCode,
  type Health,
  type Push,
  type PushContent,
  type PushOutcome,
  type Receipt,
  type Unaddressed,
} from '../provider.ts'

export type RequestFault = { outcome: PushOutcome; health: Health; split?: 'halves' | Record<string, string[]> }

// These mean that the request itself is wrong, so a part of it may be right.
const REFUSES_CONTENT = new Set([400, 413, 422])

// Expo: error codes of tickets and receipts. `retry`: the same push may be accepted later.
const PUSH_ERRORS: Record<string, { code: ErrorCode; retry: boolean }> = {
  DeviceNotRegistered: { code: 'DeviceNotRegistered', retry: false },
  MessageTooBig: { code: 'MessageTooBig', retry: false },
  MessageRateExceeded: { code: 'MessageRateExceeded', retry: true },
  MismatchSenderId: { code: 'MismatchSenderId', retry: false },
  InvalidCredentials: { code: 'InvalidCredentials', retry: true },
  DeveloperError: { code: 'DeveloperError', retry: false },
  ExpoError: { code: 'ExpoError', retry: true },
  ProviderError: { code: 'ProviderError', retry: true },
}

/** Expo: the forms of a push token that its own client accepts. */
export function isExpoPushToken(token: string): boolean {
  return (
    /^(?:ExponentPushToken|ExpoPushToken)\[[^\]\s]+\]$/.test(token) ||
    /^[a-z\d]{8}-(?:[a-z\d]{4}-){3}[a-z\d]{12}$/i.test(token)
  )
}

/** Android gets a `tag`: collapse keys there hold back the fifth undelivered message (decision B6). */
export function encodePushes(pushes: Push[]): string {
  const heads = new Map<PushContent, string>()
  const parts = pushes.map((push) => {
    let head = heads.get(push.content)
    if (head === undefined) heads.set(push.content, (head = contentJson(push.content)))
    return `{"to":${JSON.stringify(push.to)},${head}${copyJson(push)}}`
  })
  return `[${parts.join(',')}]`
}

/** UTF-8 bytes of a push as sent, without its address. */
export function payloadBytes(push: Unaddressed): number {
  return Buffer.byteLength(`{${contentJson(push.content)}${copyJson(push)}}`)
}

// Ends inside the `data` object, which copyJson closes with the notification's id.
function contentJson({ title, body, data, urgent }: PushContent): string {
  const { notification_id: _ours, ...rest } = data ?? {}
  const inner = JSON.stringify(rest).slice(1, -1)
  const priority = urgent ? '"priority":"high",' : ''
  return `"title":${JSON.stringify(title)},"body":${JSON.stringify(body)},"sound":"default",${priority}"data":{${inner}${inner === '' ? '' : ','}`
}

function copyJson({ notificationId, platform, expiresAt, badge, content: { mergeKey } }: Unaddressed): string {
  const identity = platform === 'ios' ? 'collapseId' : 'tag'
  const expiration = Math.floor(expiresAt.getTime() / 1000)
  const key = JSON.stringify(mergeKey ?? `n${notificationId}`)
  const onIcon = badge === undefined ? '' : `,"badge":${badge}`
  return `"notification_id":${notificationId}},"${identity}":${key},"expiration":${expiration}${onIcon}`
}

/** One outcome a push; undefined when tickets cannot be matched: too few, too many, or one id for two. */
export function readTickets(answer: HttpAnswer, count: number): PushOutcome[] | undefined {
  if (answer.status !== 200) return undefined
  const data = readField(parseJson(answer.body), 'data')
  if (!Array.isArray(data) || data.length !== count) return undefined
  const outcomes = data.map(readTicket)
  const ids = outcomes.flatMap((outcome) => (outcome.kind === 'accepted' ? [outcome.ticketId] : []))
  return new Set(ids).size === ids.length ? outcomes : undefined
}

/** It holds only ids that were asked for. Undefined when the answer is not one. */
export function readReceipts(answer: HttpAnswer, ticketIds: string[]): Map<string, Receipt> | undefined {
  if (answer.status !== 200) return undefined
  const data = readField(parseJson(answer.body), 'data')
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined
  const receipts = new Map<string, Receipt>()
  for (const id of ticketIds) {
    const receipt = Object.hasOwn(data, id) ? readReceipt((data as Record<string, unknown>)[id]) : undefined
    if (receipt) receipts.set(id, receipt)
  }
  return receipts
}

/** Only an answer that proves a refusal counts as one; all else is unknown (decision B5). */
export function readFault(answer: HttpAnswer): RequestFault {
  const first = firstError(answer.body)
  if (answer.status === 429 || first.code === 'TOO_MANY_REQUESTS')
    return refused('RateLimited', { kind: 'busy', retryAfterMs: readRetryAfter(answer) })
  if (answer.status === 401 || answer.status === 403 || first.code === 'UNAUTHORIZED')
    return refused('Unauthorized', { kind: 'misconfigured', code: 'Unauthorized' })
  if (first.code === 'PUSH_TOO_MANY_EXPERIENCE_IDS')
    return { ...refused('RequestRefused', { kind: 'healthy' }), split: tokenGroups(first.details) ?? 'halves' }
  if (REFUSES_CONTENT.has(answer.status))
    return {
      outcome: { kind: 'refused', code: 'RequestRefused', retry: false },
      health: { kind: 'healthy' },
      split: 'halves',
    }
  // A redirect, or an address without the push service: the messages are not at fault.
  if (answer.status >= 300 && answer.status < 500) return refused('ProviderUnavailable', UNREACHED)
  return unknownOutcome()
}

export function unknownOutcome(): RequestFault {
  return { outcome: UNKNOWN, health: { kind: 'failing', code: UNKNOWN.code } }
}

export function refused(code: ErrorCode, health: Health): RequestFault {
  return { outcome: { kind: 'refused', code, retry: true }, health }
}

function readTicket(ticket: unknown): PushOutcome {
  const status = readField(ticket, 'status')
  const id = readField(ticket, 'id')
  // PostgreSQL stores no NUL.
  if (status === 'ok' && typeof id === 'string' && id !== '' && id.length <= 255 && !id.includes('\0'))
    return { kind: 'accepted', ticketId: id }
  if (status !== 'error') return UNKNOWN
  return { kind: 'refused', ...readError(ticket) }
}

function readReceipt(receipt: unknown): Receipt | undefined {
  const status = readField(receipt, 'status')
  if (status === 'ok') return { status: 'ok' }
  return status === 'error' ? { status: 'error', code: readError(receipt).code } : undefined
}

function readError(answer: unknown): { code: ErrorCode; retry: boolean } {
  const name = readField(readField(answer, 'details'), 'error')
  const known = typeof name === 'string' && Object.hasOwn(PUSH_ERRORS, name) ? PUSH_ERRORS[name] : undefined
  return known ?? { code: 'UnknownError', retry: true }
}

function firstError(body: string): { code?: string; details?: unknown } {
  const list = readField(parseJson(body), 'errors')
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  const code = readField(first, 'code')
  return { ...(typeof code === 'string' && { code }), details: readField(first, 'details') }
}

function tokenGroups(details: unknown): Record<string, string[]> | undefined {
  if (typeof details !== 'object' || details === null) return undefined
  const groups = Object.entries(details).filter((entry): entry is [string, string[]] => Array.isArray(entry[1]))
  return groups.length > 1 ? Object.fromEntries(groups) : undefined
}
