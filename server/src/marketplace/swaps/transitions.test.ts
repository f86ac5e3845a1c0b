import * as fc from 'fast-check'
import { OPEN_SWAP } from '../../platform/shared/words.ts'
import { describe, expect, test } from 'vitest'
import { afterMove, CLOSED, otherSide, SWAP_MOVES, type Mover, type SwapFacts } from './transitions.ts'

const MOVERS: Mover[] = ['requester', 'owner', 'administrator', 'system']
const START: SwapFacts = { status: 'pending', turn: 'owner', confirmed: { requester: false, owner: false } }

const someMoves = fc.array(fc.record({ move: fc.constantFrom(...SWAP_MOVES), mover: fc.constantFrom(...MOVERS) }), {
  maxLength: 40,
})

/** Every state that moves lead to, in order. */
function toStates(moves: { move: (typeof SWAP_MOVES)[number]; mover: Mover }[]): SwapFacts[] {
  const states = [START]
  for (const { move, mover } of moves) {
    const next = afterMove(states.at(-1)!, move, mover)
    if (next !== undefined) states.push(next)
  }
  return states
}

describe('a swap', () => {
  test('is in a known state after any moves, and never leaves one in which it has ended', () => {
    fc.assert(
      fc.property(someMoves, (moves) => {
        const states = toStates(moves)
        const ended = states.findIndex(({ status }) => (CLOSED as readonly string[]).includes(status))
        expect(ended === -1 || ended === states.length - 1).toBe(true)
        for (const { status } of states) expect([...OPEN_SWAP, ...CLOSED]).toContain(status)
      }),
      { numRuns: 2_000 },
    )
  })

  test('waits for the owner exactly while it is pending, and for the requester while it is countered', () => {
    fc.assert(
      fc.property(someMoves, (moves) => {
        for (const { status, turn } of toStates(moves)) {
          if (status === 'pending') expect(turn).toBe('owner')
          if (status === 'countered') expect(turn).toBe('requester')
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('is confirmed by both sides exactly when it is completed', () => {
    fc.assert(
      fc.property(someMoves, (moves) => {
        for (const { status, confirmed } of toStates(moves))
          expect(confirmed.requester && confirmed.owner).toBe(status === 'completed')
      }),
      { numRuns: 2_000 },
    )
  })

  test('has exactly one way out for each side while it is proposed', () => {
    for (const turn of ['owner', 'requester'] as const) {
      const facts: SwapFacts = { ...START, turn, status: turn === 'owner' ? 'pending' : 'countered' }
      expect(afterMove(facts, 'decline', turn)?.status).toBe('declined')
      expect(afterMove(facts, 'withdraw', otherSide(turn))?.status).toBe('withdrawn')
      expect(afterMove(facts, 'withdraw', turn)).toBeUndefined()
      expect(afterMove(facts, 'decline', otherSide(turn))).toBeUndefined()
    }
  })

  test.for<[string, Mover, string[]]>([
    ['pending', 'requester', ['withdraw', 'invalidate']],
    ['pending', 'owner', ['counter', 'accept', 'decline', 'invalidate']],
    ['pending', 'system', ['expire', 'invalidate']],
    ['pending', 'administrator', ['invalidate']],
    ['accepted', 'requester', ['confirm', 'cancel', 'dispute', 'invalidate']],
    ['accepted', 'system', ['invalidate']],
    ['disputed', 'administrator', ['resolve_as_completed', 'resolve_as_cancelled', 'invalidate']],
    ['disputed', 'owner', ['invalidate']],
    ['completed', 'administrator', []],
  ])('that is %s can be moved by the %s in these ways: %s', ([status, mover, moves]) => {
    const facts = { ...START, status: status as SwapFacts['status'] }
    expect(SWAP_MOVES.filter((move) => afterMove(facts, move, mover) !== undefined)).toEqual(moves)
  })

  test('that one side has confirmed can be disputed but not cancelled, and is completed by time or by the other', () => {
    const facts: SwapFacts = { ...START, status: 'accepted', confirmed: { requester: true, owner: false } }
    for (const side of ['requester', 'owner'] as const) {
      expect(afterMove(facts, 'cancel', side)).toBeUndefined()
      expect(afterMove(facts, 'dispute', side)?.status).toBe('disputed')
    }
    expect(afterMove(facts, 'confirm', 'requester')).toBeUndefined()
    expect(afterMove(facts, 'confirm', 'owner')?.status).toBe('completed')
    expect(afterMove(facts, 'auto_complete', 'system')?.status).toBe('completed')
  })
})
