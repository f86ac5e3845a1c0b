import { areBlocked } from '../../identity/blocks/hidden.queries.ts'
import { errors, isExpected, type Expected, existing } from '../../platform/shared/errors.ts'
import { must } from '../../platform/shared/must.ts'
import type { SwapSide } from '../../platform/tables/marketplace-tables.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import { changeAvailability } from '../products/availability.ts'
import { lockProducts } from '../products/lock.ts'
import type { LockedProduct } from '../products/products.queries.ts'
import { closeSwaps } from './close.ts'
import { storeProposal, type Proposal } from './propose.ts'
import { publishMoves } from './publish-moves.ts'
import { isAvailable, refuseUnavailable } from './swap-items.ts'
import { deleteItems, holdItems, listSwapProducts } from './swap-items.queries.ts'
import { presentSwap } from './swap-screens.ts'
import { findSwap, insertDispute, lockSwap, updateSwap, type Swap } from './swaps.queries.ts'
import {
  ANSWER_WITHIN_MS,
  afterMove,
  isClosed,
  isOfAdministrators,
  isProposed,
  negotiates,
  otherSide,
  toFacts,
  type Mover,
  type SwapMove,
} from './transitions.ts'

/** Other moves happen by time, or with a change of a product or an account. */
export type PersonalMove = Exclude<SwapMove, 'counter' | 'expire' | 'auto_complete' | 'invalidate'>

type On = { swapId: number; expected?: Expected }

/** `words`: why a dispute is opened, or a note on how it was resolved. */
export type Move = On & { move: PersonalMove; words?: string | undefined }

/** Makes a move (decision D) and tells the other side, or both when an administrator made it. 404 for strangers; 409
 * INVALID_STATE when the move is not possible now; 412 with the swap as its side sees it for another version. */
export async function moveSwap(work: Work, { move, words, ...on }: Move): Promise<Swap> {
  const { tx } = work
  // Products are locked before swaps, each in the order of their ids, so that nobody waits in a circle.
  const products = await lockProducts(tx, await listSwapProducts(tx, [on.swapId]))
  const { swap, mover, after } = await lockForMove(work, { ...on, move })
  const { status: to } = after
  const at = work.now()
  const responded_at = swap.responded_at ?? at
  if (isClosed(to)) {
    if (to === 'declined') await updateSwap(tx, on.swapId, { responded_at }, at)
    const actor = mover === 'administrator' ? mover : 'user'
    await closeSwaps(work, { swaps: [swap], to, actor, reason: to, note: words })
    return must(await findSwap(tx, on.swapId), 'swap that was just moved')
  }
  const side = mover === 'owner' ? mover : 'requester'
  if (move === 'accept') await holdProducts(work, swap, products)
  if (move === 'dispute') await insertDispute(tx, { swap_id: on.swapId, side, reason: words ?? null, opened_at: at })
  const accepted = { status: to, accepted_at: at, responded_at }
  const confirmed = side === 'owner' ? { owner_confirmed_at: at } : { requester_confirmed_at: at }
  const change = move === 'accept' ? accepted : move === 'confirm' ? confirmed : { status: to }
  const moved = await updateSwap(tx, on.swapId, change, at)
  const tell = move === 'confirm' ? 'confirmed' : to
  await publishMoves(work, { swaps: [swap], to, tell, actor: 'user', reason: `by_${mover}` })
  return moved
}

/** A new round, with the other side's turn and seven more days. 422 when a product is not its side's, active and
 * visible; else as `moveSwap`. */
export async function counterSwap(work: Work, { proposal, ...on }: On & { proposal: Proposal }): Promise<Swap> {
  const { tx } = work
  const products = await lockProducts(tx, [...proposal.offered, ...proposal.requested])
  const { swap, after, mover } = await lockForMove(work, { ...on, move: 'counter' })
  refuseUnavailable(products, proposal, { requester: swap.requester_id, owner: swap.owner_id })
  const { status: to, turn } = after
  const now = work.now()
  const times = { expires_at: work.now(ANSWER_WITHIN_MS), responded_at: swap.responded_at ?? now }
  const countered = await updateSwap(tx, on.swapId, { status: to, turn, round: swap.round + 1, ...times }, now)
  await deleteItems(tx, on.swapId)
  await storeProposal(work, { swap: countered, proposal })
  await publishMoves(work, { swaps: [swap], to, tell: 'countered', actor: 'user', reason: `by_${mover}` })
  return countered
}

/** Proposals of others that want the products stay: this swap may still be cancelled. */
async function holdProducts(work: Work, { swap_id: swapId }: Swap, locked: LockedProduct[]): Promise<void> {
  const available = new Set(locked.filter(isAvailable).map(({ product_id }) => product_id))
  const productIds = await listSwapProducts(work.tx, [swapId])
  const missing = productIds.find((productId) => !available.has(productId))
  if (missing !== undefined) throw errors.invalidState(`Product ${missing} is no longer available.`)
  await changeAvailability(work, { productIds, to: 'reserved', actor: 'user', note: 'swap_accepted' })
  await holdItems(work.tx, swapId)
}

/** 404, 409 and 412 as `moveSwap` says. */
async function lockForMove(work: Work, { swapId, expected, move }: On & { move: SwapMove }) {
  const { tx } = work
  const swap = existing(await lockSwap(tx, swapId), 'This swap')
  const mover = existing(isOfAdministrators(move) ? 'administrator' : findSide(swap, callerId(work)), 'This swap')
  if (!isExpected(expected, swap.version)) throw errors.staleVersion(await presentSwap(work, swap))
  const after = afterMove(toFacts(swap), move, mover)
  if (after === undefined) throw errors.invalidState(describeRefusal(swap, mover))
  // One message for both cases, so that nobody learns who blocks whom.
  const { requester_id: requesterId, owner_id: ownerId } = swap
  if (negotiates(move) && requesterId !== null && ownerId !== null && (await areBlocked(tx, [requesterId, ownerId])))
    throw errors.invalidState('This swap can no longer be accepted.')
  return { swap, mover, after }
}

function findSide({ requester_id, owner_id }: Swap, userId: number): SwapSide | undefined {
  if (requester_id === userId) return 'requester'
  return owner_id === userId ? 'owner' : undefined
}

function describeRefusal({ status, turn }: Swap, mover: Mover): string {
  const isWaiting = isProposed(status) && mover === otherSide(turn)
  return isWaiting ? 'The swap waits for the other side.' : `The swap is ${status} and does not allow this.`
}
