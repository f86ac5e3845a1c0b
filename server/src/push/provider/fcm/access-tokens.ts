import type { Clock } from '../../../platform/shared/clock.ts'
import type { Log } from '../../../platform/shared/log.ts'
import type { FetchAccess, Fetched } from './google-access.ts'

/** `advice`: what Google said about the credentials, for the operator. */
export type Access = { kind: 'token'; token: string } | { kind: 'refused'; advice: string } | { kind: 'unreachable' }

export type AccessTokens = ReturnType<typeof createAccessTokens>

// A token of workload identity may live for less than ten minutes: it is replaced in the second half of its life.
const EARLY_MS = 5 * 60_000
// Google: never sooner than 10 s. Who asks meanwhile gets nothing, also after a refusal: the operator may have
// corrected it and resumed, and a refusal that is said twice would halt once more.
const AGAIN_AFTER_MS = 10_000
// A token that is refused so soon after it came is not at fault.
const FRESH_MS = 60_000
const CLOCK_IS_WRONG_MS = 60_000

type Ground = { fetchAccess: FetchAccess; clock: Clock; log: Pick<Log, 'error' | 'warn'> }

/** One question at a time. The last five minutes of a token are for the next one: a failure then stops nothing. */
export function createAccessTokens({ fetchAccess, clock, log }: Ground) {
  let held: { token: string; since: number; until: number } | undefined
  let asking: Promise<Access> | undefined
  let failedAt = -Infinity
  let untold: Access | undefined

  const ask = (): Promise<Access> => {
    if (clock.now() - failedAt < AGAIN_AFTER_MS) return Promise.resolve(takeUntold() ?? { kind: 'unreachable' })
    asking ??= fetchAccess()
      .then(keep)
      .finally(() => (asking = undefined))
    return asking
  }
  const takeUntold = () => {
    const access = untold
    untold = undefined
    return access
  }
  /** Nobody waits for it, so a refusal is told to the next who needs another token. */
  const askBeside = async () => {
    const access = await ask()
    if (access.kind === 'refused') untold = access
  }
  const keep = (fetched: Fetched): Access => {
    const now = clock.now()
    if (fetched.kind === 'token') {
      held = { token: fetched.token, since: now, until: now + fetched.livesMs }
      return { kind: 'token', token: fetched.token }
    }
    failedAt = now
    return tellFailure(log, fetched)
  }

  return {
    get: async (): Promise<Access> => {
      const left = held === undefined ? 0 : held.until - clock.now()
      if (held === undefined || left <= 0) return ask()
      if (left <= Math.min(EARLY_MS, (held.until - held.since) / 2)) void askBeside()
      return { kind: 'token', token: held.token }
    },
    /** Gives another token, if there may be one, after Google refused one that `get` gave. */
    renew: async (refused: string): Promise<Access> => {
      const isOld = held?.token === refused && clock.now() - held.since >= FRESH_MS
      if (!isOld) return held === undefined ? ask() : { kind: 'token', token: held.token }
      const access = await ask()
      // A new token was refused to these credentials, so the old one ends too.
      if (access.kind === 'refused') held = undefined
      return access
    },
  }
}

function tellFailure(log: Ground['log'], fetched: Exclude<Fetched, { kind: 'token' }>): Access {
  if (fetched.kind === 'unreachable') {
    log.warn({ reason: fetched.reason }, 'Google gave no access token')
    return { kind: 'unreachable' }
  }
  const advice = `Google refuses the credentials: ${fetched.reason}.${adviseClock(fetched.clockAheadMs)}`
  log.error({ reason: fetched.reason }, advice)
  return { kind: 'refused', advice }
}

function adviseClock(aheadMs = 0): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000)
  if (Math.abs(aheadMs) < CLOCK_IS_WRONG_MS) return ''
  return ` The clock of this machine is ${seconds} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} Google's: set it.`
}
