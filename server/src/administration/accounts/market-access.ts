import type { Tx } from '../../platform/db/connect.ts'
import type { UserStatus } from '../../platform/tables/tables.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { endSuspensions } from '../../identity/accounts/auth.queries.ts'
import type { IdentityDeps } from '../../identity/deps.ts'
import type { Work } from '../../platform/work/work.ts'
import { recordStateChanges } from '../../marketplace/history/history.ts'
import { hideProductsOf, showProductsOf } from '../../marketplace/products/products.queries.ts'
import { invalidateSwaps } from '../../marketplace/swaps/invalidate.ts'

/** The user cannot sign in, and nobody sees the products. */
export function isBarred(status: UserStatus): boolean {
  return status === 'suspended' || status === 'banned'
}

/** Hides a user's products and closes their open swaps, in the transaction that bars or deletes the account. */
export async function leaveMarket(
  work: Work,
  { userId, reason, at }: { userId: number; reason: string; at: Date },
): Promise<void> {
  const { userId: actorId } = work.by
  const actor = actorId === userId ? 'user' : 'administrator'
  const invalidate = () => invalidateSwaps(work.ground, work.tx, { userIds: [userId], reason, actor, actorId })
  await invalidate()
  await hideProductsOf(work.tx, [userId], at)
  // A swap may have been proposed in between; from here on the products are locked and hidden.
  await invalidate()
}

const SUSPENSIONS_A_ROUND = 500

/** Ends expired suspensions; returns how many. */
export async function reactivateUsers(deps: Pick<IdentityDeps, 'db' | 'clock' | 'sessions'>): Promise<number> {
  const at = fromNow(deps.clock)
  for (let ended = 0; ;) {
    const userIds = await inTransaction(deps.db, (tx) => reactivateRound(tx, at))
    for (const userId of userIds) deps.sessions.forget(userId)
    ended += userIds.length
    if (userIds.length < SUSPENSIONS_A_ROUND) return ended
  }
}

async function reactivateRound(tx: Tx, at: Date): Promise<number[]> {
  const userIds = await endSuspensions(tx, SUSPENSIONS_A_ROUND, at)
  await showProductsOf(tx, userIds)
  const change = { entity: 'user', from_state: 'suspended', to_state: 'active', actor: 'system', at } as const
  const changes = userIds.map((id) => ({ ...change, entity_id: id, user_id: id, actor_id: null, note: null }))
  await recordStateChanges(tx, changes)
  return userIds
}
