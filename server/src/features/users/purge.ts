import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { Tx } from '../../db/connect.ts'
import { fromNow } from '../../shared/clock.ts'
import { forgetInAudit } from '../audit/audit.ts'
import { accountsToPurge, removeAccounts } from '../auth/accounts.ts'
import { forgetInModeration } from '../products/moderation.ts'
import { forgetInSwaps } from '../swaps/invalidate.ts'
import { forgetWords } from './purge.queries.ts'

const USERS_A_ROUND = 100

/**
 * Purges the users who were deleted 30 days ago or more (decision C7), a hundred in a transaction: nothing of them stays.
 * The other side of a swap keeps it, and the audit log keeps that something was done, without saying what or to whom.
 * Safe to repeat and to run twice at once; gives how many it purged.
 */
export async function purgeUsers(deps: Pick<Deps, 'db' | 'clock' | 'log'>, signal: AbortSignal): Promise<number> {
  const now = fromNow(deps.clock)
  let purged = 0
  while (!signal.aborted) {
    const userIds = await inTransaction(deps.db, (tx) => purgeRound(tx, now))
    purged += userIds.length
    if (userIds.length < USERS_A_ROUND) break
  }
  if (purged > 0) deps.log.info({ users: purged }, 'deleted accounts were purged')
  return purged
}

async function purgeRound(tx: Tx, now: Date): Promise<number[]> {
  const userIds = await accountsToPurge(tx, USERS_A_ROUND, now)
  if (userIds.length === 0) return userIds
  await forgetInModeration(tx, userIds)
  await forgetInSwaps(tx, userIds)
  await forgetWords(tx, userIds)
  await forgetInAudit(tx, userIds)
  await removeAccounts(tx, userIds)
  return userIds
}
