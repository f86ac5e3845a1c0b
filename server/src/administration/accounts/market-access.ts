import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { endSuspensions } from '../../identity/accounts/accounts.queries.ts'
import type { IdentityDeps } from '../../identity/deps.ts'
import { inWork, type Ground, type Work } from '../../platform/work/work.ts'
import { recordStateChanges } from '../../marketplace/history/history.ts'
import { hideUserProducts, showUserProducts } from '../../marketplace/products/products.queries.ts'
import { invalidateSwaps } from '../../marketplace/swaps/invalidate.ts'

/** Hides a user's products and closes their open swaps, in the transaction that bars or deletes the account. */
export async function leaveMarket(work: Work, { userId, reason }: { userId: number; reason: string }): Promise<void> {
  const actor = work.by.userId === userId ? 'user' : 'administrator'
  const invalidate = () => invalidateSwaps(work, { userIds: [userId], reason, actor })
  await invalidate()
  await hideUserProducts(work.tx, [userId], work.now())
  // Somebody may have proposed a swap in between; from here on the products are locked and hidden.
  await invalidate()
}

const SUSPENSIONS_A_ROUND = 500

export async function reactivateUsers(deps: Ground & Pick<IdentityDeps, 'db' | 'sessions'>): Promise<number> {
  for (let ended = 0; ;) {
    const userIds = await inWork(deps, THE_SERVICE, reactivateRound)
    for (const userId of userIds) deps.sessions.forget(userId)
    ended += userIds.length
    if (userIds.length < SUSPENSIONS_A_ROUND) return ended
  }
}

async function reactivateRound(work: Work): Promise<number[]> {
  const userIds = await endSuspensions(work.tx, { limit: SUSPENSIONS_A_ROUND, now: work.now() })
  await showUserProducts(work.tx, userIds)
  const change = { entity: 'user', from_state: 'suspended', to_state: 'active', actor: 'system' } as const
  const changes = userIds.map((id) => ({ ...change, entity_id: id, user_id: id }))
  await recordStateChanges(work, changes)
  return userIds
}
