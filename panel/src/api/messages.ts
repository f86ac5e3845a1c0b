import { t } from '../translation/translate.ts'

const NOT_UNDERSTOOD = t('The service did not understand the panel. Reload the page.')

/** What the panel says for each code of the API. */
const SENTENCES: Readonly<Record<string, string>> = {
  BAD_REQUEST: NOT_UNDERSTOOD,
  INVALID_JSON: NOT_UNDERSTOOD,
  METHOD_NOT_ALLOWED: NOT_UNDERSTOOD,
  UNSUPPORTED_MEDIA_TYPE: NOT_UNDERSTOOD,
  HEADERS_TOO_LARGE: NOT_UNDERSTOOD,
  IDEMPOTENCY_KEY_REUSED: NOT_UNDERSTOOD,
  UNAUTHENTICATED: t('You are not signed in.'),
  TOKEN_EXPIRED: t('Your session has ended. Sign in again.'),
  INVALID_CREDENTIALS: t('The e-mail address or the password is wrong.'),
  INVALID_CODE: t('The code is wrong or already used. Wait for the next code of your app.'),
  INVALID_PASSKEY: t('The passkey was not accepted. Try again, or use another way.'),
  PASSKEY_BEHIND: t(
    'This passkey has counted fewer uses than before, so it may have been copied. Use another way, and remove the passkey.',
  ),
  SIGN_IN_EXPIRED: t('This sign-in waited too long for its second step. Start again with your password.'),
  SECOND_FACTOR_REQUIRED: t('This service requires a second factor'),
  RIGHTS_ENDED: t('Your administrative rights have ended. Sign in again.'),
  SECOND_FACTOR_STALE: t('Show your second factor again'),
  ACCOUNT_DELETED: t('This account was deleted. Within 30 days it can be restored.'),
  ACCOUNT_SUSPENDED: t('This account is suspended.'),
  FORBIDDEN: t('You have no right to do this'),
  NOT_FOUND: t('This is not there, or not any more'),
  REQUEST_TIMEOUT: t('The service did not get the whole request in time. Try again.'),
  CONFLICT: t('This cannot be done now'),
  INVALID_STATE: t('This is not possible as things are now'),
  DUPLICATE: t('Something else has this already'),
  IDEMPOTENCY_IN_PROGRESS: t('This is being done already. Wait a moment.'),
  STALE_VERSION: t('Somebody else has changed this meanwhile. Open it again to see how it is now.'),
  PAYLOAD_TOO_LARGE: t('This is too long for the service.'),
  VALIDATION_ERROR: t('Something here is not valid'),
  RATE_LIMITED: t('Too many requests in a short time. Try again later.'),
  INTERNAL_ERROR: t('The service failed. The error was logged.'),
  SERVICE_UNAVAILABLE: t('The service cannot do this now'),
}

/** The codes whose text says more than the code does. */
const TOLD_IN_DETAIL = [
  'SECOND_FACTOR_REQUIRED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'INVALID_STATE',
  'DUPLICATE',
  'VALIDATION_ERROR',
  'SERVICE_UNAVAILABLE',
]

/** A refusal in the language of the panel, with the API's own text where it says more. */
export function inOwnWords(code: string, text: string): { message: string; detail: string | undefined } {
  const sentence = SENTENCES[code]
  if (sentence === undefined) return { message: text, detail: undefined }
  return { message: sentence, detail: TOLD_IN_DETAIL.includes(code) ? text : undefined }
}
