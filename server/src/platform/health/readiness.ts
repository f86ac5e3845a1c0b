import type { Pool } from 'pg'
import { isReady } from '../db/migrations.ts'

/** Everybody may ask, so all share an answer for this long. */
export const READINESS_MS = 1_000

export type Readiness = () => Promise<boolean>

/** `now`: milliseconds that only grow, since a clock may be set back. */
export function createReadiness(pool: Pool, now: () => number = () => performance.now()): Readiness {
  let last: { at: number; answer: Promise<boolean> } | undefined
  return () => {
    const at = now()
    if (last === undefined || at - last.at >= READINESS_MS) last = { at, answer: isReady(pool).catch(() => false) }
    return last.answer
  }
}
