import { expect } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { TRUTHS } from './truths.ts'

// People and products of tests have no history of their own, so only truths about swaps and chats hold.
const OF_SWAPS =
  /confirmations|are held|reserved or swapped|gives what is its own|rounds of a swap|who asks for|history of a swap|open dispute|talk about it|unread/

/** What contradicts the truths about swaps and chats. */
export async function swapFaults({ pool, clock }: Deps): Promise<unknown[]> {
  const truths = TRUTHS.filter(([truth]) => OF_SWAPS.test(truth))
  expect(truths).toHaveLength(10)
  const found = await Promise.all(
    truths.map(async ([truth, statement]) => {
      const values = statement.includes('$1') ? [new Date(clock.now() + 1_000)] : []
      return (await pool.query(statement, values)).rows.map((row: object) => ({ truth, ...row }))
    }),
  )
  return found.flat()
}
