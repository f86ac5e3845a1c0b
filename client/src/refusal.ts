/** Why a call did not succeed: what the service said, or that it could not be asked. */
export type Refusal = Error & {
  /** The HTTP status; 0: no answer came. */
  status: number
  /** Such as `VALIDATION_ERROR`; `UNREACHABLE` when no answer came. */
  code: string
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

/** The refusal in an answer; or of an error on the way, when there is no answer. */
export function refusalOf(response: Response | undefined, said: unknown): Refusal {
  if (isRefusal(said)) return said
  if (response === undefined) {
    const error = new Error('The service cannot be reached.', { cause: said })
    return Object.assign(error, { ...NOTHING, status: 0, code: 'UNREACHABLE' })
  }
  const body = (typeof said === 'object' && said !== null ? said : {}) as Record<string, unknown>
  const retryAfter = Number(response.headers.get('Retry-After'))
  const message = typeof body['error'] === 'string' ? body['error'] : 'The answer of the service cannot be read.'
  return Object.assign(new Error(message), {
    status: response.status,
    code: typeof body['code'] === 'string' ? body['code'] : 'UNKNOWN',
    fields: (body['errors'] ?? {}) as Record<string, string[]>,
    data: body['data'],
    requestId: response.headers.get('X-Request-Id') ?? undefined,
    retryAfterSeconds: retryAfter > 0 ? retryAfter : undefined,
  })
}

const NOTHING = { fields: {}, data: undefined, requestId: undefined, retryAfterSeconds: undefined }
