import type { components } from './schema.ts'

type ServiceCode = components['schemas']['Error']['code']

/**
 * What the client itself says: no connection (`UNREACHABLE`), no answer within the time limit (`TIMED_OUT`), ended by
 * the caller's signal (`CANCELLED`), or an answer that is not of this API, such as a proxy's page (`UNREADABLE`). After
 * each of them a change may have been made: repeat a POST with the same `Idempotency-Key`.
 */
type ClientCode = 'UNREACHABLE' | 'TIMED_OUT' | 'CANCELLED' | 'UNREADABLE'

/** Why a call did not succeed: what the service said, or why there is no answer of it. */
export type Refusal = Error & {
  /** The HTTP status; 0: no answer came. */
  status: number
  code: ServiceCode | ClientCode
  /** What is wrong with each field, by its name. */
  fields: Record<string, string[]>
  /** The record as it is now, of a 412. */
  data: unknown
  /** Names the request in the log of the service. */
  requestId: string | undefined
  /** Seconds until another try makes sense. */
  retryAfterSeconds: number | undefined
}

/** Whether a thrown value is a `Refusal`. */
export function isRefusal(thrown: unknown): thrown is Refusal {
  return thrown instanceof Error && 'status' in thrown && 'fields' in thrown
}

/** The refusal in an answer with this JSON, if it has one. */
export function readRefusal(response: Response, json: unknown): Refusal {
  const body = (typeof json === 'object' && json !== null ? json : {}) as Partial<components['schemas']['Error']>
  const retryAfter = Number(response.headers.get('Retry-After'))
  const refusal: Pick<Refusal, 'code' | 'fields'> = { code: body.code ?? 'UNREADABLE', fields: body.errors ?? {} }
  return Object.assign(new Error(body.error ?? 'The answer of the service cannot be read.'), {
    ...refusal,
    status: response.status,
    data: body.data,
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    retryAfterSeconds: retryAfter > 0 ? retryAfter : undefined,
  })
}

const SENTENCES = {
  UNREACHABLE: 'The service cannot be reached.',
  TIMED_OUT: 'The service did not answer in time.',
  CANCELLED: 'The call was cancelled.',
}

/** The refusal of a call without an answer; `cause` itself, if it is one already. */
export function unanswered(code: keyof typeof SENTENCES, cause: unknown): Refusal {
  if (isRefusal(cause)) return cause
  const nothing = { status: 0, fields: {}, data: undefined, requestId: undefined, retryAfterSeconds: undefined }
  return Object.assign(new Error(SENTENCES[code], { cause }), { ...nothing, code })
}
