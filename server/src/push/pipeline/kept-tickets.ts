import type { PushDeps } from '../deps.ts'
import { isDatabaseUnavailable } from '../../platform/db/transaction.ts'
import { sleep } from '../../platform/shared/clock.ts'
import type { Claim } from './claim.ts'
import type { Answered } from './copy-outcomes.ts'

const RETRY_MS = 500
const BLOCKED_AT_MOST_MS = 120_000
// Serialization failure, deadlock, lock not available, statement cancelled.
const IN_THE_WAY = new Set(['40001', '40P01', '55P03', '57014'])

/** Retries `store` while the database is unreachable, and for two minutes after conflicts; otherwise rethrows. */
export async function keepTickets<Stored>(
  { log, lifecycle, isAlive }: Pick<PushDeps, 'log' | 'lifecycle'> & { isAlive?: () => void },
  { number: claim }: Pick<Claim, 'number'>,
  answers: Answered[],
  store: () => Promise<Stored>,
): Promise<Stored> {
  const accepted = answers.flatMap(({ outcomes }) => outcomes).filter(({ kind }) => kind === 'accepted').length
  const { signal } = lifecycle.givingUp
  let keptSince: number | undefined
  let blockedSince: number | undefined
  const mayRepeat = (error: unknown, code: string) => {
    const now = performance.now()
    const isAway = isDatabaseUnavailable(error)
    blockedSince = isAway ? undefined : (blockedSince ?? now)
    const isBlocked = IN_THE_WAY.has(code) && now - (blockedSince ?? now) <= BLOCKED_AT_MOST_MS
    return !signal.aborted && (isAway || isBlocked)
  }
  // Also while a statement hangs on a dead link: the process does not wait for it.
  const tell = () => {
    log.error({ claim, accepted }, 'the process stops with tickets that it could not store; they are lost')
  }
  signal.addEventListener('abort', tell)
  try {
    for (;;) {
      try {
        const stored = await store()
        const afterMs = keptSince === undefined ? 0 : Math.round(performance.now() - keptSince)
        if (keptSince !== undefined) log.info({ claim, accepted, afterMs }, 'kept tickets were stored')
        return stored
      } catch (error) {
        const { code = '' } = error as { code?: string }
        if (!mayRepeat(error, code)) throw error
        if (keptSince === undefined)
          log.warn({ claim, code, accepted }, 'tickets could not be stored yet; they are kept in memory')
        keptSince ??= performance.now()
        isAlive?.()
        await sleep(RETRY_MS, signal)
      }
    }
  } finally {
    signal.removeEventListener('abort', tell)
  }
}
