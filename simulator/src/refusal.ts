/** A whole-request failure: nothing of the request was accepted. */
export type Refusal = { status: number; body: unknown; code: string }

/** Expo's usual error form, `{errors:[{code, message, details?}]}`. */
export function refusal(status: number, code: string, message: string, details?: Record<string, unknown>): Refusal {
  return { status, code, body: { errors: [details ? { code, message, details } : { code, message }] } }
}

export function invalid(message: string): Refusal {
  return refusal(400, 'VALIDATION_ERROR', message)
}

/** A bearer that is not the access token: HTTP 401 in the OAuth form, which is not the `errors` form. */
export function invalidBearer(): Refusal {
  const body = { error: 'invalid_token', error_description: 'The bearer token is invalid' }
  return { status: 401, code: 'invalid_token', body }
}
