import type { Deps } from './deps.ts'
import { deleteExpiredLinks } from './features/auth/links.queries.ts'
import { deleteExpiredSessions } from './features/auth/sessions.queries.ts'
import { deleteExpiredExports } from './features/exports/exports.queries.ts'
import { deleteExpiredAnswers } from './http/idempotency.queries.ts'
import { deleteExpiredHits } from './http/rate-limit.queries.ts'
import { fromNow } from './shared/clock.ts'

// A session that ended by time still answers TOKEN_EXPIRED for this long, then UNAUTHENTICATED.
const ENDED_SESSIONS_KEPT_MS = 7 * 24 * 60 * 60 * 1_000

/** Deletes what has served its time, so that no table grows for ever by itself. */
export async function forgetExpired({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = fromNow(clock)
  await deleteExpiredHits(db, now)
  await deleteExpiredAnswers(db, now)
  await deleteExpiredExports(db, now)
  await deleteExpiredLinks(db, now)
  await deleteExpiredSessions(db, fromNow(clock, -ENDED_SESSIONS_KEPT_MS))
}
