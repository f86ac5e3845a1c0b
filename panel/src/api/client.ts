import createClient from 'openapi-fetch'
import type { paths } from '../../../client/src/schema.ts'
import { t } from '../translation/translate.ts'
import { inOwnWords } from './messages.ts'

/**
 * Calls of the API, typed by its own document. The session is in a cookie; the header says that the call is the
 * panel's.
 */
export const api = createClient<paths>({
  baseUrl: '/',
  headers: { 'X-Swapbell-Panel': '1' },
  querySerializer: { array: { style: 'form', explode: false } },
})

/** The header by which a change is refused when the record is not in this version any more. */
export function ifVersion(version: number): { 'If-Match': string } {
  return { 'If-Match': `"v${version}"` }
}

/** What the API says when it refuses (the error envelope). */
export type Refusal = {
  status: number
  code: string
  /** In the language of the panel. */
  message: string
  /** What the API says besides, in English. */
  detail: string | undefined
  fields: Record<string, string[]>
  requestId: string | undefined
  /** Seconds after which another try makes sense. */
  retryAfter: number | undefined
  /** The record as it is now, of a 412. */
  data: unknown
}

type Answered<T> = { data?: T; error?: unknown; response: Response }

/** The JSON of an answer; throws a `Refusal` for any other answer than a success. */
export async function bodyOf<T>(call: Promise<Answered<T>>): Promise<Exclude<T, string>> {
  const answered = await call.catch(() => undefined)
  if (answered === undefined) throw UNREACHABLE
  const { data, error, response } = answered
  if (response.ok && data !== undefined) return data as Exclude<T, string>
  throw refusalOf(error, response)
}

const UNREACHABLE: Refusal = {
  status: 0,
  code: 'UNREACHABLE',
  message: t('The service cannot be reached. Check your connection; nothing was changed.'),
  detail: undefined,
  fields: {},
  requestId: undefined,
  retryAfter: undefined,
  data: undefined,
}

/** What the browser refused, and not the API. */
export function refusalInWords(message: string): Refusal {
  return { ...UNREACHABLE, code: 'BROWSER', message }
}

function refusalOf(error: unknown, response: Response): Refusal {
  const answer = (typeof error === 'object' ? error : {}) as Record<string, unknown>
  const retryAfter = Number(response.headers.get('Retry-After'))
  const code = typeof answer['code'] === 'string' ? answer['code'] : 'UNKNOWN'
  const text = answer['error']
  return {
    status: response.status,
    code,
    ...inOwnWords(code, typeof text === 'string' ? text : t('The answer of the service is not valid.')),
    fields: (answer['errors'] ?? {}) as Record<string, string[]>,
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    retryAfter: retryAfter > 0 ? retryAfter : undefined,
    data: answer['data'],
  }
}

/** Reads whatever was thrown by a call. */
export function toRefusal(thrown: unknown): Refusal {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && 'fields' in thrown
    ? (thrown as Refusal)
    : { ...UNREACHABLE, code: 'FAULT', message: t('The panel has failed. Reload the page.') }
}

/** A refusal in one text. */
export function wordsOf({ message, detail }: Refusal): string {
  if (detail === undefined) return message
  return /[.!?]$/.test(message) ? `${message} ${detail}` : `${message}. ${detail}`
}
