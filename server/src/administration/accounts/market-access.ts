import type { Tx } from '../../platform/db/connect.ts'
import type { UserStatus } from '../../platform/tables/tables.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import type { AdministrationDeps } from '../deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { endSuspensions } from '../../identity/accounts/auth.queries.ts'
import { workIn, type Ground } from '../../platform/work/work.ts'
import { recordStateChanges } from '../../marketplace/history/history.ts'
import { hideProductsOf, showProductsOf } from '../../marketplace/products/products.queries.ts'
import { invalidateSwaps, type Invalidation } from '../../marketplace/swaps/invalidate.ts'

/** The user cannot sign in, and nobody sees the products. */
export function isBarred(status: UserStatus): boolean {
  return status === 'suspended' || status === 'banned'
}

/** Hides a user's products and closes their open swaps, in the transaction that bars or deletes the account. */
export async function leaveMarket(
  deps: Ground,
  tx: Tx,
  { userId, reason, actorId, at }: { userId: number; reason: string; actorId: number | null; at: Date },
): Promise<void> {
  const invalidation: Invalidation = {
    userIds: [userId],
    reason,
    actor: actorId === userId ? 'user' : 'administrator',
  }
  const work = workIn(deps, tx, { ...THE_SERVICE, userId: actorId })
  await invalidateSwaps(work, invalidation)
  await hideProductsOf(tx, [userId], at)
  // A swap may have been proposed in between; from here on the products are locked and hidden.
  await invalidateSwaps(work, invalidation)
}

const SUSPENSIONS_A_ROUND = 500

/** Ends expired suspensions; returns how many. */
export async function reactivateUsers(deps: Pick<AdministrationDeps, 'db' | 'clock' | 'sessions'>): Promise<number> {
  const at = fromNow(deps.clock)
  for (let ended = 0; ;) {
    const userIds = await inTransaction(deps.db, (tx) => reactivateRound(tx, at))
    for (const userId of userIds) deps.sessions.forget(userId)
    ended += userIds.length
    if (userIds.length < SUSPENSIONS_A_ROUND) return ended
  }
}

async function reactivateRound(tx: Tx, at: Date): Promise<number[]> {
  const userIds = await endSuspensions(tx, { limit: SUSPENSIONS_A_ROUND, now: at })
  await showProductsOf(tx, userIds)
  const change = { entity: 'user', from_state: 'suspended', to_state: 'active', actor: 'system' } as const
  const changes = userIds.map((userId) => ({ ...change, entity_id: userId, user_id: userId }))
  await recordStateChanges({ tx, by: THE_SERVICE, now: () => at }, changes)
  return userIds
}
