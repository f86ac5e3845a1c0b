import { readRetryAfter } from '../retry-after.ts'
import type { ErrorCode, Health, PushOutcome } from '../provider.ts'

/** What a push service answered to one push; `body` may be cut off. */
export type PushAnswer = {
  status: number
  date?: string | undefined
  retryAfter?: string | undefined
  body: string
}

/** What one push says of the service as a whole. */
type Mood = 'fine' | 'busy' | 'failing' | 'misconfigured'

/** `waits`: as `Retry-After` says. */
type Row = { code: ErrorCode; retry: boolean; mood: Mood; waits?: true } | 'unknown'

// RFC 8030, 8292; the services of Google, Mozilla, Apple and Microsoft. All else below 500 is our own fault.
const ROWS: Record<number, Row> = {
  404: { code: 'DeviceNotRegistered', retry: false, mood: 'fine' },
  408: { code: 'ProviderUnavailable', retry: true, mood: 'failing' },
  410: { code: 'DeviceNotRegistered', retry: false, mood: 'fine' },
  413: { code: 'MessageTooBig', retry: false, mood: 'fine' },
  429: { code: 'RateLimited', retry: true, mood: 'busy', waits: true },
}
const OURS: Row = { code: 'RequestRefused', retry: false, mood: 'fine' }
const REDIRECT: Row = { code: 'ProviderUnavailable', retry: true, mood: 'failing' }

// The signature is refused. A subscription that was made with another key is refused in the same way, and anybody may
// register one, so only a subscription that took our pushes before shows that the fault is ours.
const SIGNATURE_OURS: Row = { code: 'Unauthorized', retry: true, mood: 'misconfigured' }
const SIGNATURE_THEIRS: Row = { code: 'MismatchSenderId', retry: false, mood: 'fine' }
const REFUSED_SIGNATURES = new Set([401, 403])
// Apple and Google say so with 400.
const SIGNATURE_REASON = /VapidPkHashMismatch|BadJwtToken|UnauthorizedRegistration/

// Fewer of one submission say nothing of the service, because a service also limits single subscriptions.
const BUSY_LEAST = 10
// More than an answer takes. A token is valid for hours.
const CLOCK_SECONDS = 300

/** `advice`: for the alert, where the fault is ours. */
export type Judged = { outcome: PushOutcome; mood: Mood; advice?: string }

export const UNKNOWN: Judged = { outcome: { kind: 'unknown', code: 'OutcomeUnknown' }, mood: 'failing' }

type Known = { ticketId: string; isProven: boolean; origin: string; now: number }

export function readAnswer(answer: PushAnswer, known: Known): Judged {
  const { ticketId, isProven } = known
  if (answer.status >= 200 && answer.status < 300) return { outcome: { kind: 'accepted', ticketId }, mood: 'fine' }
  const row = findRow(answer, isProven)
  if (row === 'unknown') return UNKNOWN
  const { code, retry, mood, waits } = row
  const retryAfterMs = waits && readRetryAfter(answer)
  const advice = row === SIGNATURE_OURS && advise(answer, known)
  return {
    outcome: { kind: 'refused', code, retry, ...(retryAfterMs && { retryAfterMs }) },
    mood,
    ...(advice && { advice }),
  }
}

function findRow({ status, body }: PushAnswer, isProven: boolean): Row {
  if (REFUSED_SIGNATURES.has(status) || (status === 400 && SIGNATURE_REASON.test(body)))
    return isProven ? SIGNATURE_OURS : SIGNATURE_THEIRS
  if (status < 300 || status >= 500) return 'unknown'
  return ROWS[status] ?? (status < 400 ? REDIRECT : OURS)
}

/** The answer's own date tells of a wrong clock. Nothing else of it is quoted but a reason that we know. */
function advise({ status, body, date = '' }: PushAnswer, { origin, now }: Known): string {
  const [reason] = SIGNATURE_REASON.exec(body) ?? []
  const said = `${origin} refuses our signature (${[status, reason].join(' ').trim()})`
  const aheadSeconds = Math.round((now - Date.parse(date)) / 1_000)
  return Math.abs(aheadSeconds) > CLOCK_SECONDS
    ? `${said}: this machine's clock is ${Math.abs(aheadSeconds)} s ${aheadSeconds > 0 ? 'ahead' : 'behind'}; correct it.`
    : `${said}: restore the key with which the browsers registered, and let subject be an address that exists.`
}

/** One signature that is surely ours halts; otherwise most of the pushes decide. */
export function judge(answers: readonly Judged[]): Health {
  const of = (mood: Mood) => answers.filter((answer) => answer.mood === mood)
  const [wrong] = of('misconfigured')
  if (wrong !== undefined)
    return { kind: 'misconfigured', code: 'Unauthorized', ...(wrong.advice && { advice: wrong.advice }) }
  const busy = of('busy')
  if (busy.length >= BUSY_LEAST && busy.length * 2 > answers.length)
    return { kind: 'busy', retryAfterMs: longest(busy) }
  const [failing, ...others] = of('failing')
  if (failing !== undefined && (others.length + 1) * 2 > answers.length)
    return { kind: 'failing', code: 'code' in failing.outcome ? failing.outcome.code : 'ProviderUnavailable' }
  return { kind: 'healthy' }
}

function longest(busy: readonly Judged[]): number {
  return Math.max(...busy.map(({ outcome }) => ('retryAfterMs' in outcome ? (outcome.retryAfterMs ?? 0) : 0)))
}
