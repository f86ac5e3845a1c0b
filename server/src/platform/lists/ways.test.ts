import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cheapestWay, type Choice, type Known } from './ways.ts'

const FIRST = 20

describe('The way to a first page', () => {
  test.for<[what: string, Known, Choice]>([
    ['of all', { all: 2e6, matches: 2e6, depth: FIRST, matchesAre: 'spread' }, { sure: 'walk' }],
    ['of some', { all: 2e6, matches: 10_000, depth: FIRST, matchesAre: 'spread' }, { sure: 'walk' }],
    ['of a few', { all: 2e6, matches: 1_000, depth: FIRST, matchesAre: 'spread' }, { sure: 'sort' }],
    ['of none', { all: 2e6, matches: 0, depth: FIRST, matchesAre: 'spread' }, { sure: 'sort' }],
    ['of an empty table', { all: 0, matches: 0, depth: FIRST, matchesAre: 'spread' }, { sure: 'walk' }],
    ['of nearly all times', { all: 2e6, matches: 1.8e6, depth: FIRST, matchesAre: 'together' }, { sure: 'walk' }],
    ['of a month', { all: 2e6, matches: 166e3, depth: FIRST, matchesAre: 'together' }, { sure: 'sort', tried: 10_000 }],
    [
      'of a month, in five weeks',
      { all: 2e6, matches: 166e3, depth: FIRST, matchesAre: 'together', merged: 1_205 },
      { sure: 'merge' },
    ],
    [
      'of the few in a month with a status that some have',
      { all: 10_400, matches: 860, depth: FIRST, matchesAre: 'together', read: 166e3 },
      { sure: 'walk' },
    ],
    [
      'of a text that many have',
      { all: 1.5e6, matches: 20_001, depth: FIRST, matchesAre: 'compared' },
      { sure: 'sort', tried: 10_000 },
    ],
  ])('%s', ([, known, choice]) => {
    expect(cheapestWay(known)).toEqual(choice)
  })

  test('touches at most twice as many rows as the best sure way, wherever the matches are', () => {
    const known = fc.record({
      all: fc.integer({ min: 1, max: 10_000_000 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      depth: fc.integer({ min: 1, max: 50_000 }),
      merged: fc.option(fc.integer({ min: 1, max: 10_000_000 }), { nil: undefined }),
      matchesAre: fc.constantFrom('together' as const, 'compared' as const),
      place: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    fc.assert(
      fc.property(known, ({ share, place, ...rest }) => {
        const matches = Math.max(1, Math.round(rest.all * share))
        const { sure, tried } = cheapestWay({ ...rest, matches })
        const others = rest.all - matches
        const worst = {
          walk: Math.min(rest.all, others + rest.depth),
          merge: rest.merged ?? Infinity,
          sort: matches,
        }
        // The matches stand together, after some of the others.
        const walked = Math.min(rest.all, Math.round(others * place) + rest.depth)
        const isMet = tried !== undefined && walked <= tried
        const touched = isMet ? walked : (tried ?? 0) + worst[sure]
        expect(touched).toBeLessThanOrEqual(2 * Math.min(...Object.values(worst)) + 1)
      }),
      { numRuns: 2_000 },
    )
  })
})
