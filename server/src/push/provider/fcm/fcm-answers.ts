import { parseJson, readField } from '../../../platform/shared/json.ts'
import type { IncomingHttpHeaders } from 'node:http2'
import { readRetryAfter } from '../http/retry-after.ts'
import { UNKNOWN, UNREACHED, type ErrorCode, type Health, type PushOutcome } from '../provider.ts'

export type FcmAnswer = { status: number; headers: IncomingHttpHeaders; body: string; isWhole: boolean }

export type Verdict = {
  outcome: PushOutcome
  /** What the answer says of the project. */
  health: Health
  /** Perhaps only the access token is at fault. Then another one helps. */
  isAccessRefused?: true
  /** Perhaps only the phone is at fault. Then Google answers well to a push to a token that nobody has. */
  mayBeOfPush?: true
  /** Perhaps the quota of the whole project is used up. Then all pushes wait for so many milliseconds. */
  mayBeOfProject?: number
  /** The field of our message that Google does not take. */
  field?: string
  /** The HTTP status of a server that answered in place of Google's. */
  byAnother?: number
}

// Google: never sooner than 10 s, and after 429 a minute where the answer names no time.
const LEAST_WAIT_MS = 10_000
const QUOTA_WAIT_MS = 60_000
const LONGEST_WAIT_MS = 3_600_000

const HEALTHY: Health = { kind: 'healthy' }

const ADVICE = {
  token: 'Google answers 401: it does not take access tokens of these credentials. Make a new key for the account.',
  right:
    'Google answers 403: the account needs the right cloudmessaging.messages.create in this Firebase project, ' +
    'and the project the Firebase Cloud Messaging API.',
  project: 'Google answers 404 and names no phone: the id of the Firebase project or the address is wrong.',
}

type Fault = { headers: IncomingHttpHeaders; details: Details }

/** The code about the phone (`google.firebase.fcm.v1.FcmError`) decides, with any 4xx. */
const BY_CODE: Record<string, (fault: Fault) => Verdict> = {
  UNREGISTERED: () => refused('DeviceNotRegistered', { retry: false }),
  INVALID_ARGUMENT: ({ details }) => refuseArgument(details.fields, 'BadDeviceToken'),
  SENDER_ID_MISMATCH: () => refused('MismatchSenderId', { retry: false }),
  THIRD_PARTY_AUTH_ERROR: () =>
    refused('InvalidCredentials', { retry: true, retryAfterMs: QUOTA_WAIT_MS, isFree: true }),
  QUOTA_EXCEEDED: refuseQuota,
  UNAVAILABLE: refuseForNow,
  INTERNAL: () => unknownVerdict(),
  UNSPECIFIED_ERROR: () => unknownVerdict(),
}

/** These have no code about the phone. Every other status below 500 is not that of Google's service. */
const BY_STATUS: Record<number, (fault: Fault) => Verdict> = {
  400: ({ details }) => refuseArgument(details.fields, 'RequestRefused'),
  401: () => ({ ...misconfigured(ADVICE.token), isAccessRefused: true }),
  403: () => ({ ...misconfigured(ADVICE.right), isAccessRefused: true, mayBeOfPush: true }),
  404: () => ({ ...misconfigured(ADVICE.project), mayBeOfPush: true }),
  413: () => refused('MessageTooBig', { retry: false }),
  429: refuseQuota,
}

/** Only an answer that proves a refusal counts as one; all else is unknown (decision B5). */
export function readAnswer({ status, headers, body, isWhole }: FcmAnswer): Verdict {
  const parsed = isWhole ? parseJson(body) : undefined
  if (status === 200) return readTicket(parsed)
  // Another program answers in place of Google, which may have taken the message.
  if (status < 300) return unknownVerdict()
  const error = readField(parsed, 'error')
  const details = readDetails(readField(error, 'details'))
  const fault = { headers, details }
  if (status >= 500) {
    const isOverloaded = details.code === 'UNAVAILABLE' || readField(error, 'status') === 'UNAVAILABLE'
    return status === 503 && isOverloaded ? refuseForNow(fault) : unknownVerdict()
  }
  const byCode = details.code !== undefined && Object.hasOwn(BY_CODE, details.code) ? BY_CODE[details.code] : undefined
  if (status >= 400 && byCode) return byCode(fault)
  // Half an answer, or a page of another server, says nothing of the message, the account or the project.
  const saysNothing = !isWhole || (status <= 404 && error === undefined)
  const byStatus = saysNothing ? undefined : BY_STATUS[status]
  return byStatus
    ? byStatus(fault)
    : { ...refusedBySomething(), health: UNREACHED, ...(isWhole && { byAnother: status }) }
}

/** Google answers so for the phone alone, which its other answers show. Another try tells whether it stays so. */
export function ofOtherSender(): Verdict {
  return refused('MismatchSenderId', { retry: true })
}

function refusedBySomething(): Verdict {
  return refused('ProviderUnavailable', { retry: true, retryAfterMs: LEAST_WAIT_MS })
}

/** Surely not taken, by no fault of the message. */
export function unsent(): Verdict {
  return { ...refused('ProviderUnavailable', { retry: true }), health: UNREACHED }
}

export function unknownVerdict(): Verdict {
  return { outcome: UNKNOWN, health: { kind: 'failing', code: UNKNOWN.code } }
}

export function misconfigured(advice: string): Verdict {
  const health: Health = { kind: 'misconfigured', code: 'Unauthorized', advice }
  return { ...refused('Unauthorized', { retry: true }), health }
}

function readTicket(parsed: unknown): Verdict {
  const name = readField(parsed, 'name')
  // PostgreSQL stores no NUL.
  if (typeof name !== 'string' || name === '' || name.length > 255 || name.includes('\0')) return unknownVerdict()
  return { outcome: { kind: 'accepted', ticketId: name }, health: HEALTHY }
}

/** The token is at fault where Google names it, or nothing else. */
function refuseArgument(fields: readonly string[], code: ErrorCode): Verdict {
  const [other] = fields.filter((name) => name !== 'message.token' && name !== 'message.fid')
  if (other !== undefined) return { ...refused('RequestRefused', { retry: false }), field: other }
  return refused(fields.length > 0 ? 'BadDeviceToken' : code, { retry: false })
}

/** Only the project's quota makes all wait; that of a phone or a topic is its own. */
function refuseQuota({ headers, details }: Fault): Verdict {
  const retryAfterMs = readWait(headers, QUOTA_WAIT_MS)
  if (details.quota !== 'project') {
    const verdict = refused('MessageRateExceeded', { retry: true, retryAfterMs })
    return details.quota === 'one' ? verdict : { ...verdict, mayBeOfProject: retryAfterMs }
  }
  return exhausted(retryAfterMs)
}

/** The project's quota. */
export function exhausted(retryAfterMs: number): Verdict {
  return { ...refused('RateLimited', { retry: true, retryAfterMs }), health: { kind: 'busy', retryAfterMs } }
}

function refuseForNow({ headers }: Fault): Verdict {
  const retryAfterMs = readWait(headers, LEAST_WAIT_MS)
  return {
    ...refused('ProviderError', { retry: true, retryAfterMs }),
    health: { kind: 'failing', code: 'ProviderError' },
  }
}

function refused(code: ErrorCode, again: { retry: boolean; retryAfterMs?: number; isFree?: true }): Verdict {
  return { outcome: { kind: 'refused', code, ...again }, health: HEALTHY }
}

function readWait({ date, 'retry-after': retryAfter }: IncomingHttpHeaders, otherwiseMs: number): number {
  return readRetryAfter({ date, retryAfter }, { leastMs: LEAST_WAIT_MS, mostMs: LONGEST_WAIT_MS, otherwiseMs })
}

/** `fields`: those of our message that Google names. `quota`: whose, if Google says so. */
type Details = { code: string | undefined; fields: string[]; quota: 'one' | 'project' | undefined }

/** Google: each detail says its type, and their order means nothing. */
function readDetails(details: unknown): Details {
  const list: unknown[] = Array.isArray(details) ? details : []
  const ofType = (name: string) => list.filter((detail) => String(readField(detail, '@type')).endsWith(`/${name}`))
  const violations = (type: string, name: string) =>
    ofType(type).flatMap((detail) => {
      const found = readField(detail, name)
      return Array.isArray(found) ? (found as unknown[]) : []
    })
  const [code] = ofType('google.firebase.fcm.v1.FcmError').map((detail) => readField(detail, 'errorCode'))
  const subjects = violations('google.rpc.QuotaFailure', 'violations').map((one) => String(readField(one, 'subject')))
  return {
    code: typeof code === 'string' ? code : undefined,
    fields: violations('google.rpc.BadRequest', 'fieldViolations').map((one) => String(readField(one, 'field'))),
    quota: findQuota(subjects),
  }
}

/** Google does not document how a subject is spelt. */
function findQuota(subjects: string[]): Details['quota'] {
  if (subjects.some((subject) => /^projects?\b/i.test(subject))) return 'project'
  return subjects.length > 0 && subjects.every((subject) => /^(?:device|topic)\b/i.test(subject)) ? 'one' : undefined
}
