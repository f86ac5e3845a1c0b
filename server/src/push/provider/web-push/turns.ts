import { setImmediate as nextTurn } from 'node:timers/promises'

// An encryption costs up to a millisecond, and a process does more than to send.
const ENCRYPTIONS_A_TURN = 16

/** Comes at once, but for every sixteenth and those after it, which come in the next turn of the event loop. */
export function createTurns(): () => Promise<unknown> {
  let taken = 0
  let turn: Promise<unknown> = Promise.resolve()
  return () => {
    if (taken++ % ENCRYPTIONS_A_TURN === 0) turn = turn.then(() => nextTurn())
    return turn
  }
}
