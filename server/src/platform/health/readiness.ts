import type { Pool } from 'pg'
import { isReady } from '../db/migrate.ts'
import type { Clock } from '../shared/clock.ts'

/** Everybody may ask, so all share an answer for this long. */
export const READINESS_MS = 1_000

/** Whether the database is reachable and writable, and the schema current. */
export type Readiness = () => Promise<boolean>

export function createReadiness(pool: Pool, clock: Clock): Readiness {
  let last: { at: number; answer: Promise<boolean> } | undefined
  return () => {
    const now = clock.now()
    // A clock that was set back makes the answer old too.
    if (last === undefined || Math.abs(now - last.at) >= READINESS_MS)
      last = { at: now, answer: isReady(pool).catch(() => false) }
    return last.answer
  }
}
