import type { AppleKey, Signed } from './provider-token.ts'
import type { Reason } from './reasons.ts'

/** What Apple remembers of a connection. */
export type Session = {
  number: number
  /** The streams that it allows at once. */
  limit: number
  /** The key to which the first push bound it, and its present provider token. */
  key?: AppleKey
  token?: string
  tokenSince: number
  restsUntil: number
  badTokens: number
}

const UPDATE_MS = 20 * 60_000
const MOST_BAD_TOKENS = 10
const LEAST_STREAMS = 1

export function createSession(number: number): Session {
  return { number, limit: LEAST_STREAMS, tokenSince: 0, restsUntil: 0, badTokens: 0 }
}

/** Binds the session to the first key, and refuses a second token within 20 minutes, then everything for so long. */
export function admit(session: Session, authorization: string, { key }: Signed, now: number): Reason | undefined {
  if (session.key !== undefined && session.key !== key) return 'UnrelatedKeyIdInToken'
  session.key = key
  if (now < session.restsUntil) return 'TooManyProviderTokenUpdates'
  if (session.token === authorization) return undefined
  if (session.token !== undefined && now < session.tokenSince + UPDATE_MS) {
    session.restsUntil = session.tokenSince + UPDATE_MS
    return 'TooManyProviderTokenUpdates'
  }
  session.token = authorization
  session.tokenSince = now
  return undefined
}

/**
 * One stream until a good push, and after each refusal of the 4xx kind but 410 (seen, never documented). `closes`: the
 * session took its last bad token.
 */
export function learn(session: Session, status: number, most: number, reason?: Reason): { closes: boolean } {
  if (status === 200) session.limit = most
  else if (status >= 400 && status < 500 && status !== 410) session.limit = LEAST_STREAMS
  if (reason === 'BadDeviceToken') session.badTokens++
  return { closes: reason === 'BadDeviceToken' && session.badTokens === MOST_BAD_TOKENS }
}
