import type { Tx } from '../../platform/db/connect.ts'
import { updateLastActive } from './auth.queries.ts'

/** `last_active_at` moves at most this often: a write of the account at each call would cost more than the call. */
export const LAST_ACTIVE_REST_MS = 15 * 60_000

/**
 * Marks accounts as active on a day (YYYY-MM-DD, UTC) at a moment. Returns those for whom it is the first time on that
 * day, with the days since their active day before, null when there was none. An account that was active on a later day
 * is not changed.
 */
export async function markActive(
  tx: Tx,
  day: string,
  seen: { userId: number; at: Date }[],
): Promise<{ userId: number; daysSince: number | null }[]> {
  const rows = await updateLastActive(tx, day, seen, LAST_ACTIVE_REST_MS)
  return rows
    .filter((row) => row.is_first)
    .map(({ user_id, days_since }) => ({ userId: user_id, daysSince: days_since }))
}
