import type { HttpAnswer } from '../http/request.ts'
import { readRetryAfter } from '../http/retry-after.ts'
import { UNKNOWN, type ErrorCode, type Health, type PushOutcome } from '../provider.ts'

type Refusal = Extract<PushOutcome, { kind: 'refused' }>

/** What one push says of the service as a whole; `none`: no request was made. */
type Mood = 'none' | 'fine' | 'busy' | 'failing' | 'misconfigured'

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
// register one, so only subscriptions that took our pushes before show that the fault is ours; a single one of them may
// have a fault of its own.
const SIGNATURE_OF_ONE = { code: 'InvalidCredentials', retry: true, mood: 'fine' } satisfies Row
const SIGNATURE_OURS = { code: 'Unauthorized', retry: true, mood: 'misconfigured' } satisfies Row
const SIGNATURE_THEIRS = { code: 'MismatchSenderId', retry: false, mood: 'fine' } satisfies Row
const REFUSED_SIGNATURES = new Set([401, 403])
// Apple and Google say so with 400.
const SIGNATURE_REASON = /VapidPkHashMismatch|BadJwtToken|UnauthorizedRegistration/

// A service also limits single subscriptions, so those of one person say nothing of it: nobody has more than 20.
const BUSY_LEAST = 21
// More than an answer takes. A token is valid for hours.
const CLOCK_SECONDS = 300

/** `advice`: for the alert, where the fault is ours. */
export type Judged = { outcome: PushOutcome; mood: Mood; advice?: string }

export const UNCLEAR: Judged = { outcome: UNKNOWN, mood: 'failing' }

/** `isAlone`: no other proven subscription is refused for the signature by this push service. */
type Known = { ticketId: string; isProven: boolean; isAlone: boolean; origin: string; now: number }

export function readAnswer(answer: HttpAnswer, known: Known): Judged {
  const { ticketId } = known
  if (isAccepted(answer)) return { outcome: { kind: 'accepted', ticketId }, mood: 'fine' }
  const row = findRow(answer, known)
  if (row === 'unknown') return UNCLEAR
  const { code, retry, mood, waits } = row
  const retryAfterMs = waits && readRetryAfter(answer)
  const advice = row === SIGNATURE_OURS && advise(answer, known)
  return {
    outcome: { kind: 'refused', code, retry, ...(retryAfterMs && { retryAfterMs }) },
    mood,
    ...(advice && { advice }),
  }
}

/**
 * The subscription never took a push. Anybody may register an address that answers with faults or does not exist, so
 * that it says nothing of the service, and uses attempts.
 */
export function discount<Fault extends Judged>(fault: Fault): Fault {
  const { outcome } = fault
  if (fault.mood !== 'failing') return fault
  return {
    ...fault,
    mood: 'fine',
    outcome: outcome.kind === 'refused' ? { ...outcome, code: 'ProviderError' } : outcome,
  }
}

/** Our signature is surely at fault, so that who refused it and could not show that is tried again too. */
export function excuse(refusal: Refusal): Refusal {
  const { code, retry } = SIGNATURE_OURS
  return refusal.code === SIGNATURE_THEIRS.code ? { kind: 'refused', code, retry } : refusal
}

export function isAccepted({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300
}

export function isSignatureRefused({ status, body }: HttpAnswer): boolean {
  return REFUSED_SIGNATURES.has(status) || (status === 400 && SIGNATURE_REASON.test(body))
}

function findRow(answer: HttpAnswer, { isProven, isAlone }: Known): Row {
  const { status } = answer
  if (isSignatureRefused(answer)) {
    if (!isProven) return SIGNATURE_THEIRS
    return isAlone ? SIGNATURE_OF_ONE : SIGNATURE_OURS
  }
  if (status < 300 || status >= 500) return 'unknown'
  return ROWS[status] ?? (status < 400 ? REDIRECT : OURS)
}

/** The answer's own date tells of a wrong clock. Nothing else of it is quoted but a reason that we know. */
function advise({ status, body, date = '' }: HttpAnswer, { origin, now }: Known): string {
  const [reason] = SIGNATURE_REASON.exec(body) ?? []
  const refusal = `${origin} refuses our signature (${[status, reason].join(' ').trim()})`
  const aheadSeconds = Math.round((now - Date.parse(date)) / 1_000)
  return Math.abs(aheadSeconds) > CLOCK_SECONDS
    ? `${refusal}: this machine's clock is ${Math.abs(aheadSeconds)} s ${aheadSeconds > 0 ? 'ahead' : 'behind'}; correct it.`
    : `${refusal}: restore the key with which the browsers registered, and let subject be an address that exists.`
}

/** One signature that is surely ours halts; otherwise most of the pushes decide. */
export function judge(answers: readonly Judged[]): Health {
  const of = (mood: Mood) => answers.filter((answer) => answer.mood === mood)
  const [wrong] = of('misconfigured')
  if (wrong !== undefined)
    return { kind: 'misconfigured', code: 'Unauthorized', ...(wrong.advice && { advice: wrong.advice }) }
  const [failing, ...others] = of('failing')
  if (failing !== undefined && (others.length + 1) * 2 > answers.length)
    return { kind: 'failing', code: 'code' in failing.outcome ? failing.outcome.code : 'ProviderUnavailable' }
  return { kind: 'healthy' }
}

/**
 * The push services that limit us and not single browsers: most pushes to one were too many, to more browsers than one
 * person has. A browser has as many tokens as somebody likes, but one endpoint.
 */
export function listBusy(answers: readonly (Judged & { endpoint?: URL })[]): Map<string, number> {
  const waits = new Map<string, number>()
  for (const [origin, own] of Map.groupBy(answers, ({ endpoint }) => endpoint?.origin)) {
    const busy = own.filter(({ mood }) => mood === 'busy')
    const browsers = new Set(busy.map(({ endpoint }) => endpoint?.href)).size
    if (origin !== undefined && browsers >= BUSY_LEAST && busy.length * 2 > own.length) waits.set(origin, longest(busy))
  }
  return waits
}

function longest(busy: readonly Judged[]): number {
  return Math.max(...busy.map(({ outcome }) => ('retryAfterMs' in outcome ? (outcome.retryAfterMs ?? 0) : 0)))
}
