export type Target = { entity: string; entityId?: number }

export type FieldErrors = Record<string, string[]>

export type Quota = { name: string; calls: number; seconds: number; remaining: number; resetSeconds: number }

type Extras = {
  errors?: FieldErrors
  data?: unknown
  retryAfterSeconds?: number
  quota?: Quota
  allow?: string
  target?: Target
}

/** Every code of an answer that is no success (decision A1), with its status; the API's description lists them. */
const STATUSES = {
  ACCOUNT_DELETED: 403,
  ACCOUNT_SUSPENDED: 403,
  BAD_REQUEST: 400,
  CONFLICT: 409,
  DUPLICATE: 409,
  FORBIDDEN: 403,
  HEADERS_TOO_LARGE: 431,
  IDEMPOTENCY_IN_PROGRESS: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  INTERNAL_ERROR: 500,
  INVALID_CODE: 401,
  INVALID_CREDENTIALS: 401,
  INVALID_JSON: 400,
  INVALID_PASSKEY: 401,
  INVALID_STATE: 409,
  METHOD_NOT_ALLOWED: 405,
  NOT_FOUND: 404,
  PASSKEY_BEHIND: 401,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  REQUEST_TIMEOUT: 408,
  RIGHTS_ENDED: 403,
  SECOND_FACTOR_REQUIRED: 403,
  SECOND_FACTOR_STALE: 403,
  SERVICE_UNAVAILABLE: 503,
  SIGN_IN_EXPIRED: 401,
  STALE_VERSION: 412,
  TOKEN_EXPIRED: 401,
  UNAUTHENTICATED: 401,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_ERROR: 422,
} as const

export type ErrorCode = keyof typeof STATUSES

export const ERROR_CODES = Object.keys(STATUSES) as ErrorCode[]

/** Every expected failure is one; the error handler maps it to the error envelope. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly extras: Extras

  constructor(code: ErrorCode, message: string, extras: Extras = {}, status: number = STATUSES[code]) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.status = status
    this.extras = extras
  }
}

export const errors = {
  badRequest: (message: string) => new AppError('BAD_REQUEST', message),
  invalidJson: () => new AppError('INVALID_JSON', 'The body is not valid JSON.'),
  unauthenticated: () => new AppError('UNAUTHENTICATED', 'Sign in to use this.'),
  wrongSignature: (why: string) => new AppError('UNAUTHENTICATED', why),
  tokenExpired: () => new AppError('TOKEN_EXPIRED', 'The session has ended. Sign in again.'),
  invalidCredentials: () => new AppError('INVALID_CREDENTIALS', 'The e-mail address or the password is wrong.'),
  wrongCode: () =>
    new AppError('INVALID_CODE', 'The code is wrong or already used. Wait for the next code of your app.'),
  wrongPasskey: () => new AppError('INVALID_PASSKEY', 'The passkey was not accepted. Try again, or use another way.'),
  passkeyBehind: () =>
    new AppError(
      'PASSKEY_BEHIND',
      'This passkey has counted fewer uses than before, so it may have been copied. Use another way, and remove the passkey.',
    ),
  signInExpired: () =>
    new AppError(
      'SIGN_IN_EXPIRED',
      'This sign-in waited too long for its second factor. Begin again with the password.',
    ),
  secondFactorRequired: () =>
    new AppError(
      'SECOND_FACTOR_REQUIRED',
      'This service requires a second factor of administrators. Set it up in your account, or sign in again with it.',
    ),
  rightsEnded: () =>
    new AppError(
      'RIGHTS_ENDED',
      'The administrative rights of a session end 12 hours after it was opened. Sign in again to use them.',
    ),
  secondFactorStale: () =>
    new AppError(
      'SECOND_FACTOR_STALE',
      'Show your second factor again: the last time in this session was more than ten minutes ago.',
    ),
  accountSuspended: (status: 401 | 403) => new AppError('ACCOUNT_SUSPENDED', 'This account is suspended.', {}, status),
  accountDeleted: () => new AppError('ACCOUNT_DELETED', 'This account was deleted. Within 30 days it can be restored.'),
  forbidden: (target?: Target) =>
    new AppError('FORBIDDEN', 'This account does not have the right to do this.', { ...(target && { target }) }),
  passwordTooShort: (least: number) =>
    new AppError(
      'FORBIDDEN',
      `An administrator’s password must have at least ${least} characters. Ask another administrator to set a new one.`,
    ),
  notFound: (what = 'This') => new AppError('NOT_FOUND', `${what} does not exist.`),
  methodNotAllowed: (allow: string) =>
    new AppError('METHOD_NOT_ALLOWED', `This address accepts only ${allow}.`, { allow }),
  requestTimeout: () => new AppError('REQUEST_TIMEOUT', 'The request was not complete in time.'),
  conflict: (message: string) => new AppError('CONFLICT', message),
  duplicate: (field: string, message: string) => new AppError('DUPLICATE', message, { errors: { [field]: [message] } }),
  duplicates: (fields: FieldErrors) =>
    new AppError('DUPLICATE', 'Another record has this already.', { errors: fields }),
  invalidState: (message: string) => new AppError('INVALID_STATE', message),
  idempotencyInProgress: () =>
    new AppError('IDEMPOTENCY_IN_PROGRESS', 'A request with this Idempotency-Key is still running.', {
      retryAfterSeconds: 1,
    }),
  staleVersion: (current: unknown) =>
    new AppError('STALE_VERSION', 'The record has changed since you read it; data holds the present record.', {
      data: current,
    }),
  payloadTooLarge: () => new AppError('PAYLOAD_TOO_LARGE', 'The body is larger than 64 KB.'),
  unsupportedMediaType: () =>
    new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json, uncompressed.'),
  validation: (fields: FieldErrors, { hasMore = false } = {}) =>
    new AppError(
      'VALIDATION_ERROR',
      hasMore ? 'Many fields are not valid; errors names the first of them.' : 'Some fields are not valid.',
      { errors: fields },
    ),
  idempotencyKeyReused: () =>
    new AppError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with another body.'),
  headersTooLarge: () => new AppError('HEADERS_TOO_LARGE', 'The address and the headers are larger than 16 KB.'),
  rateLimited: (retryAfterSeconds: number, message = 'Too many requests. Try again later.', quota?: Quota) =>
    new AppError('RATE_LIMITED', message, { retryAfterSeconds, ...(quota && { quota }) }),
  internal: () => new AppError('INTERNAL_ERROR', 'The service failed. The error was logged.'),
  unavailable: (retryAfterSeconds = 5) =>
    new AppError('SERVICE_UNAVAILABLE', 'The service is not available right now.', { retryAfterSeconds }),
  homesAway: (homes: string) =>
    new AppError(
      'SERVICE_UNAVAILABLE',
      `A server of the database is away. What belongs to people of its homes (${homes}), and sums over all homes, cannot be read or changed right now.`,
      { retryAfterSeconds: 5 },
    ),
  noMail: () =>
    new AppError('SERVICE_UNAVAILABLE', 'This service sends no mail. Ask its administrators to change it for you.'),
}

/** Node reports each address that it tried, and then has no message of its own. */
export function toErrorMessage(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return toErrorMessage(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}

/** The code is that of the system, such as ENOENT, or of PostgreSQL, such as 40001. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** The versions that a change allows: any when undefined, none when empty (decision C6). */
export type Expected = readonly number[] | undefined

export function isExpected(expected: Expected, version: number): boolean {
  return expected === undefined || expected.includes(version)
}

/** 404 when there is none; `what` as in "This user". */
export function existing<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw errors.notFound(what)
  return value
}
