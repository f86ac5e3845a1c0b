import type { Deps } from '../../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { withPlans } from '../../platform/db/planner.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { must } from '../../platform/shared/must.ts'
import type { Work } from '../../platform/work/work.ts'
import { forgetBadges, insertMarks, lockBadges, storeCounts, takeMarks } from './badges.queries.ts'
import { countBadges, type BadgeCounts } from './counting.queries.ts'

const USERS_A_ROUND = 1_000

/** Workers count them again (ADR 043); takes no lock. `isUrgent: false`: after all others, without waking a worker. */
export async function markBadges(
  { tx, announce }: Pick<Work, 'tx' | 'announce'>,
  userIds: readonly number[],
  { isUrgent = true }: { isUrgent?: boolean } = {},
): Promise<void> {
  if (userIds.length === 0) return
  await insertMarks(tx, userIds, { isUrgent })
  if (isUrgent) announce()
}

export async function totalsOf(tx: Tx, userIds: readonly number[]): Promise<Map<number, number>> {
  const counts = await countBadges(tx, userIds)
  return new Map(counts.map(({ userId, total }) => [userId, total]))
}

/** Counted now, so that it is never behind what this user just read (decision B26). */
export async function badgeOf(db: Db, userId: number): Promise<Omit<BadgeCounts, 'userId'>> {
  const [counts] = await countBadges(db, [userId])
  const { total, notifications, chats } = must(counts, 'badge of a user')
  return { total, notifications, chats }
}

/** As part of the transaction that purges them (decision C7). */
export async function forgetInBadges(tx: Tx, userIds: number[]): Promise<void> {
  await forgetBadges(tx, userIds)
}

type CountDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/** Counts the oldest marks and removes them in one transaction, so a crash leaves the marks. */
export async function countMarked(deps: CountDeps, isUrgent: boolean): Promise<{ users: number; changed: number[] }> {
  return inTransaction(deps.db, async (tx) => {
    const userIds = await takeMarks(tx, { isUrgent, users: USERS_A_ROUND })
    return { users: userIds.length, changed: await recount(deps, tx, userIds) }
  })
}

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
