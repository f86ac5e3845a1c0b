import type { Deps } from '../../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { withPlans } from '../../platform/db/planner.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { announceAfter } from '../../platform/jobs/queue.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { forgetBadges, insertMarks, lockBadges, storeCounts, takeMarks } from './badges.queries.ts'
import { countBadges } from './counting.queries.ts'

const USERS_A_ROUND = 1_000

/**
 * Says that the badges of these users may have changed, as part of the transaction that changed what is unread for
 * them: a notification, an open, a chat line, a chat that was read. A worker counts them anew soon (ADR 043). It locks
 * nothing. `isUrgent: false` is for campaigns: their users are counted after all others, and no worker is woken for
 * them.
 */
export async function markBadges(
  { queue }: Pick<Deps, 'queue'>,
  tx: Tx,
  userIds: readonly number[],
  { isUrgent = true }: { isUrgent?: boolean } = {},
): Promise<void> {
  if (userIds.length === 0) return
  await insertMarks(tx, userIds, { isUrgent })
  if (isUrgent) announceAfter(queue, tx)
}

/** The totals of users as they are now, for the pushes that are about to leave, in one statement. */
export async function totalsOf(tx: Tx, userIds: readonly number[]): Promise<Map<number, number>> {
  const counts = await countBadges(tx, userIds)
  return new Map(counts.map(({ userId, total }) => [userId, total]))
}

/** Forgets the badges of people, as part of the transaction that purges them (decision C7). */
export async function forgetInBadges(tx: Tx, userIds: number[]): Promise<void> {
  await forgetBadges(tx, userIds)
}

type CountDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/**
 * Counts the badges of the users that were marked for the longest time, about a thousand, and removes the marks, in one
 * transaction: a crash leaves them for the next. Gives how many users it looked at, and whose badge is another now.
 */
export async function countMarked(deps: CountDeps, isUrgent: boolean): Promise<{ users: number; changed: number[] }> {
  return inTransaction(deps.db, async (tx) => {
    const userIds = await takeMarks(tx, { isUrgent, users: USERS_A_ROUND })
    return { users: userIds.length, changed: await recount(deps, tx, userIds) }
  })
}

/** Counts the badges of users anew; gives whose is another now. */
export async function recount(
  { clock, config }: Pick<CountDeps, 'clock' | 'config'>,
  tx: Tx,
  userIds: readonly number[],
): Promise<number[]> {
  if (userIds.length === 0) return []
  const now = fromNow(clock)
  return withPlans(tx, 'by index', async () => {
    await lockBadges(tx, userIds, now)
    return storeCounts(tx, userIds, { isWritten: config.FIREBASE_DATABASE_URL !== '', now })
  })
}
