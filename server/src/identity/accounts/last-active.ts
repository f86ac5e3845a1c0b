import type { Tx } from '../../platform/db/connect.ts'
import { updateLastActive } from './auth.queries.ts'

/** A write of the account at each call would cost more than the call. */
export const LAST_ACTIVE_REST_MS = 15 * 60_000

/**
 * `first`: those for whom it is the latest of their days (YYYY-MM-DD, UTC) and new, with the days since the one before;
 * null: none. `late`: those with a later day.
 */
export async function markActive(
  tx: Tx,
  day: string,
  seen: { userId: number; at: Date }[],
): Promise<{ first: { userId: number; daysSince: number | null }[]; late: number[] }> {
  const rows = await updateLastActive(tx, day, seen, LAST_ACTIVE_REST_MS)
  return {
    first: rows
      .filter(({ days_since }) => days_since === null || days_since > 0)
      .map(({ user_id, days_since }) => ({ userId: user_id, daysSince: days_since })),
    late: rows.filter(({ days_since }) => days_since !== null && days_since < 0).map(({ user_id }) => user_id),
  }
}
