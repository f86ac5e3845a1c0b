import type { Tx } from '../../platform/db/connect.ts'
import { updateLastActive } from './auth.queries.ts'

/** A write of the account at each call would cost more than the call. */
export const LAST_ACTIVE_REST_MS = 15 * 60_000

/** Those for whom it is the first time on that UTC day, with the days since their active day before; null: none. */
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
