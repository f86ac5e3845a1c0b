import type { MarketplaceDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { areBlocked } from '../../identity/blocks/blocks.queries.ts'
import type { Ground } from '../../platform/work/work.ts'
import { areMembers } from '../groups/groups.ts'
import { areMatched } from '../likes/likes.ts'
import { noSuchProduct, refuseUnavailable } from './swap-items.ts'
import { lockProducts } from '../products/lock.ts'
import { insertItems, type Sides } from './swap-items.queries.ts'
import { insertRound, insertSwap, type Swap } from './swaps.queries.ts'
import { publishMoves } from './publish-moves.ts'
import { must } from '../../platform/shared/must.ts'

export type SwapDeps = Ground & Pick<MarketplaceDeps, 'db'>

const DAY_MS = 24 * 3_600_000
/** How long a proposal waits for its answer (decision D). */
export const ANSWER_WITHIN_MS = 7 * DAY_MS

export type Proposal = Sides & { note?: string }

/** Asks for a swap and tells the owner (decision D). 422 unless all products are active, visible, and of the
 * requester or one other person with no block between them; 409 DUPLICATE when one is asked for already. */
export async function requestSwap(
  deps: SwapDeps,
  tx: Tx,
  { requesterId, proposal, groupId }: { requesterId: number; proposal: Proposal; groupId?: number },
): Promise<Swap> {
  const ownerId = await ownerOf(tx, requesterId, proposal)
  if (groupId !== undefined && !(await areMembers(tx, groupId, [requesterId, ownerId])))
    throw errors.validation({ group_id: ['must be a group that both people are in'] })
  const now = fromNow(deps.clock)
  const swap = await insertSwap(tx, {
    requester_id: requesterId,
    owner_id: ownerId,
    group_id: groupId ?? null,
    origin: (await areMatched(tx, requesterId, ownerId)) ? 'match' : 'request',
    note: proposal.note ?? null,
    expires_at: fromNow(deps.clock, ANSWER_WITHIN_MS),
    created_at: now,
    updated_at: now,
  })
  await storeProposal(tx, swap, proposal, now)
  const isTold = (userId: number) => userId !== requesterId
  const by = { reason: null, actor: 'user', actorId: requesterId, isTold, at: now } as const
  await publishMoves(deps, tx, [{ swap, from: null }], { to: 'pending' }, by)
  return swap
}

export async function storeProposal(tx: Tx, swap: Swap, { offered, requested, note }: Proposal, now: Date) {
  if (!(await insertItems(tx, { swapId: swap.swap_id, requesterId: swap.requester_id }, { offered, requested })))
    throw errors.duplicate('requested', 'is already requested in another of your proposals')
  await insertRound(tx, {
    swap_id: swap.swap_id,
    round: swap.round,
    proposed_by: swap.turn === 'owner' ? 'requester' : 'owner',
    offered,
    requested,
    note: note ?? null,
    created_at: now,
  })
}

async function ownerOf(tx: Tx, requesterId: number, proposal: Proposal): Promise<number> {
  const products = await lockProducts(tx, [...proposal.offered, ...proposal.requested])
  const [first] = proposal.requested
  const ownerId = products.find((product) => product.product_id === first)?.user_id
  if (ownerId === requesterId) throw errors.validation({ requested: ['must not be your own'] })
  refuseUnavailable(products, proposal, { requester: requesterId, owner: ownerId ?? null })
  const found = must(ownerId, 'owner of an available product')
  if (await areBlocked(tx, [requesterId, found]))
    throw errors.validation({ requested: proposal.requested.map(noSuchProduct) })
  return found
}
