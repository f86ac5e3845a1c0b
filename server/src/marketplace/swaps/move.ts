import type { Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { isExpected, type Expected } from '../../platform/shared/versions.ts'
import { areBlocked } from '../../identity/blocks/blocks.queries.ts'
import { changeAvailability } from '../products/availability.ts'
import { closeSwaps, completeSwaps, type Closing } from './close.ts'
import { isAvailable, refuseUnavailable } from './swap-items.ts'
import { ANSWER_WITHIN_MS, storeProposal, type Proposal, type SwapDeps } from './propose.ts'
import { lockProducts } from '../products/lock.ts'
import type { LockedProduct } from '../products/products.queries.ts'
import { deleteItems, holdItems, listProductsOf } from './swap-items.queries.ts'
import { findSwap, lockSwap, updateSwap, type Swap, type SwapChange } from './swaps.queries.ts'
import { publishMoves } from './publish-moves.ts'
import { insertDispute } from './swap-disputes.queries.ts'
import { findEntry } from './swap-screens.queries.ts'
import {
  afterMove,
  isProposed,
  negotiates,
  otherSide,
  type Mover,
  type SwapFacts,
  type SwapMove,
} from './transitions.ts'
import { must } from '../../platform/shared/must.ts'

/** Other moves happen by time, or with a change of a product or an account. */
export type PersonalMove = Exclude<SwapMove, 'counter' | 'expire' | 'auto_complete' | 'invalidate'>

export type MoveBy = {
  userId: number
  isAdministrator?: boolean
  /** Why a dispute is opened, or a note on how it was resolved. */
  words?: string
  /** Absent: any version. */
  seen?: Expected
}

/** Makes a move (decision D) and tells the other side, or both when an administrator made it. 404 for strangers; 409
 * INVALID_STATE when the move is not possible now; 412 with the swap as its side sees it for another version. */
export async function moveSwap(deps: SwapDeps, tx: Tx, swapId: number, move: PersonalMove, by: MoveBy): Promise<Swap> {
  // Products before swaps, each in the order of their ids: so nobody waits in a circle.
  const products = await lockProducts(tx, await listProductsOf(tx, [swapId]))
  const { swap, mover, after } = await lockFor(tx, swapId, move, by)
  const closing: Closing = {
    reason: after.status,
    actor: mover === 'administrator' ? 'administrator' : 'user',
    actorId: by.userId,
    isTold: (userId) => userId !== by.userId,
    at: fromNow(deps.clock),
    note: by.words ?? null,
  }
  await carryOut(deps, tx, { swap, products, mover, after, move }, closing)
  return must(await findSwap(tx, swapId), 'swap that was just moved')
}

/** A new round, with the other side's turn and seven more days. 422 when a product is not its side's, active and
 * visible; else as `moveSwap`. */
export async function counterSwap(
  deps: SwapDeps,
  tx: Tx,
  { swapId, userId, seen, proposal }: { swapId: number; userId: number; seen?: Expected; proposal: Proposal },
): Promise<Swap> {
  const products = await lockProducts(tx, [...proposal.offered, ...proposal.requested])
  const { swap, after, mover } = await lockFor(tx, swapId, 'counter', { userId, seen })
  refuseUnavailable(products, proposal, { requester: swap.requester_id, owner: swap.owner_id })
  const now = fromNow(deps.clock)
  const change = {
    turn: after.turn,
    status: after.status,
    round: swap.round + 1,
    expires_at: fromNow(deps.clock, ANSWER_WITHIN_MS),
    responded_at: swap.responded_at ?? now,
  }
  const countered = await updateSwap(tx, swapId, change, now)
  await deleteItems(tx, swapId)
  await storeProposal(tx, countered, proposal, now)
  const isTold = (told: number) => told !== userId
  const by = { reason: `by_${mover}`, actor: 'user', actorId: userId, isTold, at: now } as const
  await publishMoves(deps, tx, [{ swap, from: swap.status }], { to: after.status, tell: 'countered' }, by)
  return countered
}

type Moving = { swap: Swap; products: LockedProduct[]; mover: Mover; after: SwapFacts; move: PersonalMove }

async function carryOut(deps: SwapDeps, tx: Tx, moving: Moving, closing: Closing): Promise<void> {
  const { swap, after, mover, move } = moving
  const { at } = closing
  const tell = move === 'confirm' ? 'confirmed' : after.status
  const by = { ...closing, reason: mover === 'administrator' ? move : `by_${mover}` }
  switch (after.status) {
    case 'declined':
      await updateSwap(tx, swap.swap_id, { responded_at: swap.responded_at ?? at }, at)
      return closeSwaps(deps, tx, [swap], after.status, closing)
    case 'withdrawn':
    case 'cancelled':
    case 'expired':
    case 'invalidated':
      return closeSwaps(deps, tx, [swap], after.status, closing)
    case 'completed':
      return completeSwaps(deps, tx, [swap], closing)
    case 'pending':
    case 'countered':
    case 'accepted':
    case 'disputed':
      if (move === 'accept') await holdProducts(tx, moving, closing)
      if (move === 'dispute') await openDispute(tx, moving, closing)
      await updateSwap(tx, swap.swap_id, changeFor(moving, at), at)
      return publishMoves(deps, tx, [{ swap, from: swap.status }], { to: after.status, tell }, by)
  }
}

function changeFor({ swap, mover, after, move }: Moving, at: Date): SwapChange {
  if (move === 'accept') return { status: after.status, accepted_at: at, responded_at: swap.responded_at ?? at }
  if (move !== 'confirm') return { status: after.status }
  return mover === 'owner' ? { owner_confirmed_at: at } : { requester_confirmed_at: at }
}

/** Proposals of others that want the products stay: this swap may still be cancelled. */
async function holdProducts(tx: Tx, { swap, products }: Moving, closing: Closing): Promise<void> {
  const locked = new Map(products.map((product) => [product.product_id, product]))
  const productIds = await listProductsOf(tx, [swap.swap_id])
  for (const productId of productIds) {
    const product = locked.get(productId)
    if (product === undefined || !isAvailable(product))
      throw errors.invalidState(`Product ${productId} is no longer available.`)
  }
  const { actor, actorId, at } = closing
  await changeAvailability(tx, { productIds, to: 'reserved', actor, actorId, note: 'swap_accepted', at })
  await holdItems(tx, swap.swap_id)
}

async function openDispute(tx: Tx, { swap, mover }: Moving, { note, at }: Closing): Promise<void> {
  const side = mover === 'owner' ? 'owner' : 'requester'
  await insertDispute(tx, { swapId: swap.swap_id, side, reason: note ?? null, at })
}

/** 404, 409 and 412 as `moveSwap` says. */
async function lockFor(tx: Tx, swapId: number, move: SwapMove, by: MoveBy) {
  const swap = await lockSwap(tx, swapId)
  const mover = swap && moverOf(swap, by)
  if (swap === undefined || mover === undefined) throw errors.notFound('This swap')
  if (!isExpected(by.seen, swap.version)) throw errors.staleVersion(await findEntry(tx, by.userId, swapId))
  const after = afterMove(factsOf(swap), move, mover)
  if (after === undefined) throw errors.invalidState(refusalOf(swap, mover))
  // One message for both cases, so that nobody learns who blocks whom.
  const { requester_id: requesterId, owner_id: ownerId } = swap
  if (negotiates(move) && requesterId !== null && ownerId !== null && (await areBlocked(tx, [requesterId, ownerId])))
    throw errors.invalidState('This swap can no longer be accepted.')
  return { swap, mover, after }
}

function moverOf(swap: Swap, { userId, isAdministrator = false }: MoveBy): Mover | undefined {
  if (isAdministrator) return 'administrator'
  if (swap.requester_id === userId) return 'requester'
  return swap.owner_id === userId ? 'owner' : undefined
}

function refusalOf({ status, turn }: Swap, mover: Mover): string {
  const isWaiting = isProposed(status) && mover === otherSide(turn)
  return isWaiting ? 'The swap waits for the other side.' : `The swap is ${status} and does not allow this.`
}

export function factsOf(swap: Swap): SwapFacts {
  const confirmed = { requester: swap.requester_confirmed_at !== null, owner: swap.owner_confirmed_at !== null }
  return { status: swap.status, turn: swap.turn, confirmed }
}
