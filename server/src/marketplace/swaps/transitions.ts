import { OPEN_SWAP, PROPOSED_SWAP, SWAP_STATUSES } from '../../platform/shared/words.ts'
import type { SwapSide, SwapStatus } from '../../platform/tables/marketplace-tables.ts'
import type { Swap } from './swaps.queries.ts'

/** `turn`: the side that the proposal waits for. */
export type SwapFacts = { status: SwapStatus; turn: SwapSide; confirmed: Record<SwapSide, boolean> }

export type Mover = SwapSide | 'administrator' | 'system'

/** A proposal waits so long for its answer, and then expires (decision D). */
export const ANSWER_WITHIN_MS = 7 * 24 * 3_600_000
/** An accepted swap is completed this long after one side has confirmed (decision D). */
export const CONFIRM_WITHIN_MS = 14 * 24 * 3_600_000

export type SwapMove = keyof typeof MOVES

type Rule = {
  from: readonly SwapStatus[]
  by: (mover: Mover, facts: SwapFacts) => boolean
  when?: (facts: SwapFacts, mover: Mover) => boolean
  to: (facts: SwapFacts, mover: Mover) => SwapFacts
}

export type ClosedStatus = Exclude<SwapStatus, (typeof OPEN_SWAP)[number]>

export const CLOSED = SWAP_STATUSES.filter(isClosed)

const MOVES = {
  counter: { from: PROPOSED_SWAP, by: onTurn, to: countered },
  accept: { from: PROPOSED_SWAP, by: onTurn, to: becoming('accepted') },
  decline: { from: PROPOSED_SWAP, by: onTurn, to: becoming('declined') },
  withdraw: { from: PROPOSED_SWAP, by: waiting, to: becoming('withdrawn') },
  expire: { from: PROPOSED_SWAP, by: theService, to: becoming('expired') },
  confirm: { from: ['accepted'], by: isSide, when: notYetConfirmedBy, to: confirmed },
  auto_complete: { from: ['accepted'], by: theService, when: confirmedByOne, to: becoming('completed') },
  cancel: { from: ['accepted'], by: isSide, when: confirmedByNobody, to: becoming('cancelled') },
  dispute: { from: ['accepted'], by: isSide, to: becoming('disputed') },
  resolve_as_completed: { from: ['disputed'], by: anAdministrator, to: becoming('completed') },
  resolve_as_cancelled: { from: ['disputed'], by: anAdministrator, to: becoming('cancelled') },
  invalidate: { from: OPEN_SWAP, by: () => true, to: becoming('invalidated') },
} as const satisfies Record<string, Rule>

export const SWAP_MOVES = Object.keys(MOVES) as SwapMove[]

/** The state after a move (decision D); undefined when it is not allowed. */
export function afterMove(facts: SwapFacts, move: SwapMove, mover: Mover): SwapFacts | undefined {
  const rule: Rule = MOVES[move]
  if (!rule.from.includes(facts.status) || !rule.by(mover, facts)) return undefined
  return rule.when?.(facts, mover) === false ? undefined : rule.to(facts, mover)
}

export const MOVES_OF_SIDES = ['counter', 'accept', 'decline', 'withdraw', 'confirm', 'cancel', 'dispute'] as const

export type MoveOfSide = (typeof MOVES_OF_SIDES)[number]

/** If one side blocks the other, only moves that end or confirm the swap are left. */
export function listMoves(facts: SwapFacts, side: SwapSide, isBlocked: boolean): MoveOfSide[] {
  return MOVES_OF_SIDES.filter((move) => afterMove(facts, move, side) && !(isBlocked && negotiates(move)))
}

/** These moves bind two people again, so they are not possible across a block (decision E). */
export function negotiates(move: SwapMove): boolean {
  return move === 'counter' || move === 'accept'
}

export function isProposed(status: SwapStatus): status is (typeof PROPOSED_SWAP)[number] {
  return PROPOSED_SWAP.some((proposed) => proposed === status)
}

/** The other side waits for this one: for an answer, or for the second confirmation. */
export function isTurnOf({ status, turn, confirmed: by }: SwapFacts, side: SwapSide): boolean {
  return isProposed(status) ? turn === side : status === 'accepted' && by[otherSide(side)] && !by[side]
}

export function otherSide(side: SwapSide): SwapSide {
  return side === 'owner' ? 'requester' : 'owner'
}

export function isClosed(status: SwapStatus): status is ClosedStatus {
  return !OPEN_SWAP.some((open) => open === status)
}

export function isOfAdministrators(move: SwapMove): boolean {
  return MOVES[move].by === anAdministrator
}

export type FactsRow = Pick<Swap, 'status' | 'turn' | 'requester_confirmed_at' | 'owner_confirmed_at'>

export function toFacts({ status, turn, requester_confirmed_at, owner_confirmed_at }: FactsRow): SwapFacts {
  return { status, turn, confirmed: { requester: requester_confirmed_at !== null, owner: owner_confirmed_at !== null } }
}

function isSide(mover: Mover): mover is SwapSide {
  return mover === 'requester' || mover === 'owner'
}

function onTurn(mover: Mover, { turn }: SwapFacts): boolean {
  return mover === turn
}

function waiting(mover: Mover, { turn }: SwapFacts): boolean {
  return isSide(mover) && mover !== turn
}

function theService(mover: Mover): boolean {
  return mover === 'system'
}

function anAdministrator(mover: Mover): boolean {
  return mover === 'administrator'
}

function notYetConfirmedBy({ confirmed: by }: SwapFacts, mover: Mover): boolean {
  return isSide(mover) && !by[mover]
}

function confirmedByOne({ confirmed: by }: SwapFacts): boolean {
  return by.requester !== by.owner
}

function confirmedByNobody({ confirmed: by }: SwapFacts): boolean {
  return !by.requester && !by.owner
}

function becoming(status: SwapStatus): Rule['to'] {
  const both = { requester: true, owner: true }
  return (facts) => ({ ...facts, status, confirmed: status === 'completed' ? both : facts.confirmed })
}

/** It is the requester's turn exactly while the swap is countered. */
function countered(facts: SwapFacts): SwapFacts {
  return { ...facts, status: facts.turn === 'owner' ? 'countered' : 'pending', turn: otherSide(facts.turn) }
}

function confirmed(facts: SwapFacts, mover: Mover): SwapFacts {
  const by = { ...facts.confirmed, [mover]: true }
  return { ...facts, confirmed: by, status: by.requester && by.owner ? 'completed' : 'accepted' }
}
