import { THE_SERVICE } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/db/connect.ts'
import { inWork, type Ground, type Work } from '../../platform/work/work.ts'
import { lockProducts } from '../products/lock.ts'
import { closeSwaps } from './close.ts'
import { listSwapProducts } from './swap-items.queries.ts'
import { listHalfConfirmed, lockAccepted, lockExpired } from './swaps.queries.ts'
import { afterMove, CONFIRM_WITHIN_MS, toFacts } from './transitions.ts'

const SWAPS_A_ROUND = 200

/** Proposals expire seven days after they were made (decision D). Safe to run twice at once. */
export async function expireOldProposals(ground: Ground & { db: Db }): Promise<void> {
  while ((await inWork(ground, THE_SERVICE, expireProposals)) === SWAPS_A_ROUND);
}

/** An accepted swap that one side confirmed is completed 14 days later (decision D). Safe to run twice at once. */
export async function completeConfirmedSwaps(ground: Ground & { db: Db }): Promise<void> {
  while ((await inWork(ground, THE_SERVICE, completeHalfConfirmed)) === SWAPS_A_ROUND);
}

async function expireProposals(work: Work): Promise<number> {
  const swaps = await lockExpired(work.tx, work.now(), SWAPS_A_ROUND)
  await closeSwaps(work, { swaps, to: 'expired', actor: 'system', reason: 'expired' })
  return swaps.length
}

async function completeHalfConfirmed(work: Work): Promise<number> {
  const swapIds = await listHalfConfirmed(work.tx, work.now(-CONFIRM_WITHIN_MS), SWAPS_A_ROUND)
  if (swapIds.length === 0) return 0
  await lockProducts(work.tx, await listSwapProducts(work.tx, swapIds))
  const accepted = await lockAccepted(work.tx, swapIds)
  const swaps = accepted.filter((swap) => afterMove(toFacts(swap), 'auto_complete', 'system') !== undefined)
  await closeSwaps(work, { swaps, to: 'completed', actor: 'system', reason: 'confirmed_by_one' })
  return swaps.length
}
