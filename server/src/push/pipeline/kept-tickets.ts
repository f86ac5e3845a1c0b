import type { Deps } from '../../deps.ts'
import { isDatabaseUnavailable } from '../../platform/db/transaction.ts'
import { sleep } from '../../platform/shared/clock.ts'
import type { Claim } from './claim.ts'
import type { Answered } from './copy-outcomes.ts'

export type KeptTickets = {
  /** Waits before the answers are stored again; throws `error` when there is nothing to wait for. */
  waitAfter(error: unknown): Promise<void>
  stored(): void
}

const RETRY_MS = 500
const BLOCKED_AT_MOST_MS = 120_000
// Serialization failure, deadlock, lock not available, statement cancelled.
const IN_THE_WAY = new Set(['40001', '40P01', '55P03', '57014'])

/** Waits while the database is unreachable, two minutes for other transactions. Meanwhile nothing new is claimed. */
export function keepTickets(
  { log, lifecycle, isAlive }: Pick<Deps, 'log' | 'lifecycle'> & { isAlive?: () => void },
  { number: claim }: Pick<Claim, 'number'>,
  answers: Answered[],
): KeptTickets {
  const accepted = answers.flatMap(({ outcomes }) => outcomes).filter(({ kind }) => kind === 'accepted').length
  const { signal } = lifecycle.givingUp
  let keptSince: number | undefined
  let blockedSince: number | undefined
  // Also while a statement hangs on a dead link, whose end the process does not wait for.
  const tell = () => {
    log.error({ claim, accepted }, 'the process stops with tickets that it could not store; they are lost')
  }
  signal.addEventListener('abort', tell)
  const release = () => signal.removeEventListener('abort', tell)
  const waitAfter = async (error: unknown) => {
    const { code = '' } = error as { code?: string }
    const now = performance.now()
    const isAway = isDatabaseUnavailable(error)
    blockedSince = isAway ? undefined : (blockedSince ?? now)
    const isBlocked = !isAway && IN_THE_WAY.has(code) && now - (blockedSince ?? now) <= BLOCKED_AT_MOST_MS
    if (signal.aborted || !(isAway || isBlocked)) {
      release()
      throw error
    }
    if (keptSince === undefined)
      log.warn({ claim, code, accepted }, 'tickets could not be stored yet; they are kept in memory')
    keptSince ??= now
    isAlive?.()
    await sleep(RETRY_MS, signal)
  }
  const stored = () => {
    release()
    if (keptSince === undefined) return
    const afterMs = Math.round(performance.now() - keptSince)
    log.info({ claim, accepted, afterMs }, 'kept tickets were stored')
  }
  return { waitAfter, stored }
}
