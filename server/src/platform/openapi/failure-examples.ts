import { errorEnvelope } from '../http/error-handler.ts'
import { errors, type AppError } from '../shared/errors.ts'
import type { JsonObject } from './components.ts'

const FAILURES: AppError[] = [
  errors.badRequest('The request is malformed.'),
  errors.invalidJson(),
  errors.unauthenticated(),
  errors.tokenExpired(),
  errors.invalidCredentials(),
  errors.accountSuspended(401),
  errors.forbidden(),
  errors.secondFactorRequired(),
  errors.rightsEnded(),
  errors.secondFactorStale(),
  errors.wrongPasskey(),
  errors.notFound('This notification'),
  errors.conflict('You made this request yourself, so another administrator must approve it.'),
  errors.duplicate('email', 'belongs to another account'),
  errors.invalidState('This swap is not open any more.'),
  errors.idempotencyInProgress(),
  errors.staleVersion({ id: 7, version: 8 }),
  errors.payloadTooLarge(),
  errors.unsupportedMediaType(),
  errors.validation({ email: ['must be an e-mail address, such as ada@example.com'] }),
  errors.idempotencyKeyReused(),
  errors.rateLimited(42),
  errors.internal(),
  errors.unavailable(),
]

const REQUEST_ID = '7d444840-9dc0-41d1-8245-5ffdce74fad2'

export const FAILURE_EXAMPLES: Record<string, JsonObject> = Object.fromEntries(
  Object.entries(Object.groupBy(FAILURES, ({ status }) => status)).map(([status, failures = []]) => [
    status,
    Object.fromEntries(
      failures.map((error) => [error.code, { value: errorEnvelope(error, REQUEST_ID) as JsonObject }]),
    ),
  ]),
)
