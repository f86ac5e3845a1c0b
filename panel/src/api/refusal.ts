import { t } from '../translation/translate.ts'
import { inOwnWords } from './messages.ts'

/** What the API says when it refuses (the error envelope). */
export type Refusal = {
  status: number
  code: string
  /** It is in the language of the panel. */
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

/** What failed before the API could answer. */
export function refusalInWords(code: string, message: string): Refusal {
  const nothing = { detail: undefined, requestId: undefined, retryAfter: undefined, data: undefined }
  return { ...nothing, status: 0, code, message, fields: {} }
}

export function readRefusal(error: unknown, response: Response): Refusal {
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

export function toRefusal(thrown: unknown): Refusal {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && 'fields' in thrown
    ? (thrown as Refusal)
    : refusalInWords('FAULT', t('The panel has failed. Reload the page.'))
}

export function describeRefusal({ message, detail }: Refusal): string {
  if (detail === undefined) return message
  return /[.!?]$/.test(message) ? `${message} ${detail}` : `${message}. ${detail}`
}
