import { areBlocked } from '../../identity/blocks/hidden.queries.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { errors } from '../../platform/shared/errors.ts'
import { must } from '../../platform/shared/must.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import { areMembers } from '../groups/groups.ts'
import { areMatched } from '../likes/likes.ts'
import { lockProducts } from '../products/lock.ts'
import { publishMoves } from './publish-moves.ts'
import { noSuchProduct, refuseUnavailable } from './swap-items.ts'
import { insertItems, type Sides } from './swap-items.queries.ts'
import { insertRound, insertSwap, type Swap } from './swaps.queries.ts'
import { ANSWER_WITHIN_MS, otherSide } from './transitions.ts'

export type Proposal = Sides & { note?: string }

/** Asks for a swap and tells the owner (decision D). 422 unless all products are active, visible, and of the
 * requester or one other person with no block between them; 409 DUPLICATE when one is asked for already. */
export async function requestSwap(
  work: Work,
  { proposal, groupId }: { proposal: Proposal; groupId?: number | undefined },
): Promise<Swap> {
  const { tx } = work
  const requesterId = callerId(work)
  const ownerId = await findOwner(tx, requesterId, proposal)
  if (groupId !== undefined && !(await areMembers(tx, groupId, [requesterId, ownerId])))
    throw errors.validation({ group_id: ['must be a group that both people are in'] })
  const now = work.now()
  const swap = await insertSwap(tx, {
    requester_id: requesterId,
    owner_id: ownerId,
    group_id: groupId ?? null,
    origin: (await areMatched(tx, requesterId, ownerId)) ? 'match' : 'request',
    note: proposal.note ?? null,
    expires_at: work.now(ANSWER_WITHIN_MS),
    created_at: now,
    updated_at: now,
  })
  await storeProposal(work, { swap, proposal })
  await publishMoves(work, { swaps: [{ ...swap, status: null }], to: 'pending', actor: 'user', reason: null })
  return swap
}

export async function storeProposal(work: Work, { swap, proposal }: { swap: Swap; proposal: Proposal }): Promise<void> {
  const { offered, requested, note = null } = proposal
  const { swap_id, requester_id, round, turn } = swap
  if (!(await insertItems(work.tx, { swapId: swap_id, requesterId: requester_id, offered, requested })))
    throw errors.duplicate('requested', 'is already requested in another of your proposals')
  const terms = { swap_id, round, proposed_by: otherSide(turn), offered, requested, note }
  await insertRound(work.tx, { ...terms, created_at: work.now() })
}

async function findOwner(tx: Tx, requesterId: number, proposal: Proposal): Promise<number> {
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
