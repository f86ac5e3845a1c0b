import { expect, test } from 'vitest'
import { judge } from './roll-out-judgement.ts'
import type { RollOut } from './roll-outs.ts'

const NOTHING = { accepted: 0, refused: 0, gone: 0, opened: 0 }

test.for([
  [{ refused: 199 }, 'Too few to compare: each way needs 200 answers, and has 199 directly and 5,000 by expo.'],
  [{ refused: 200 }, 'Clearly more pushes are refused directly. Find the reason before the next step.'],
  [{ accepted: 200 }, 'Both ways do about as well. Nothing speaks against the next step.'],
] as const)('the refused are answers too: %o', ([direct, words]) => {
  const ways = [
    { ...NOTHING, ...direct, provider: 'fcm/swapbell' },
    { ...NOTHING, accepted: 5_000, provider: 'expo' },
  ]
  expect(judge({ provider: 'fcm/swapbell', from: 'expo', share: 10, ways } as RollOut)).toBe(words)
})
