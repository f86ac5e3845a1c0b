import { expect, test } from 'vitest'
import { findTooManyGone } from './return-rule.ts'

const NOTHING = { accepted: 0, gone: 0 }

test.for([
  ['twice the share of the fallback', { accepted: 190, gone: 10 }, { accepted: 975, gone: 25 }, NOTHING, true],
  ['less than twice', { accepted: 190, gone: 10 }, { accepted: 974, gone: 26 }, NOTHING, false],
  ['nine gone', { accepted: 191, gone: 9 }, { accepted: 1_000, gone: 0 }, NOTHING, false],
  ['199 answers', { accepted: 189, gone: 10 }, { accepted: 1_000, gone: 0 }, NOTHING, false],
  ['none gone by the fallback', { accepted: 9_990, gone: 10 }, { accepted: 200, gone: 0 }, NOTHING, true],
  ['few by the fallback, and none before', { accepted: 190, gone: 10 }, { accepted: 199, gone: 0 }, NOTHING, false],
  ['few by the fallback, many before', { accepted: 90, gone: 110 }, NOTHING, { accepted: 990, gone: 10 }, true],
  ['few by the fallback, as many before', { accepted: 190, gone: 10 }, NOTHING, { accepted: 190, gone: 10 }, false],
] as const)('a roll-out with %s', ([, own, now, earlier, isTooMany]) => {
  expect(findTooManyGone(own, { now, earlier }) !== undefined).toBe(isTooMany)
})
