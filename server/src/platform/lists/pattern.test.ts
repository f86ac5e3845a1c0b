import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { reachOf, thinnedPattern } from './pattern.ts'

test.for<[string, ReturnType<typeof reachOf>]>([
  ['ada', 'anywhere'],
  ['@gmail', 'anywhere'],
  ['@x', 'anywhere'],
  ['ab.', 'anywhere'],
  ['äöü', 'anywhere'],
  ['ab', 'word_beginnings'],
  ['ö', 'word_beginnings'],
  ['a@', 'word_beginnings'],
  ['%', 'first_20000'],
  ['@.', 'first_20000'],
  ['😀', 'first_20000'],
])('a search for %s reaches %s', ([text, reach]) => {
  expect(reachOf(text)).toBe(reach)
})

const FREQUENT = new Set(['xen', 'eni', 'nia', 'jov', 'ova', 'van', 'ano', 'nov', 'ovi', 'vic', 'özg', 'zgü'])

test.for<[string, string | undefined]>([
  ['xenia.jovanovic', '%xenia%jov%vic%'],
  ['Xenia Jovanovic', '%Xenia%Jov%vic%'],
  ['%Jovanovic_', '%Jov%vic%'],
  ['Özgü Jovanovic', '%Özgü%Jov%vic%'],
  ['xenia', undefined],
  ['jovanovic1', undefined],
  ['jovanovic x', undefined],
  ['', undefined],
])('of long words in %s only both ends are looked for, if all of it is frequent', ([text, pattern]) => {
  expect(thinnedPattern(text, FREQUENT)).toBe(pattern)
})

test('whatever contains a text is like its thinned pattern', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'B', 'İ', 'ß', '1', '.', ' ', '%', '_', '😀'), maxLength: 20 })
  const frequent = { has: () => true } as unknown as ReadonlySet<string>
  fc.assert(
    fc.property(text, text, text, (before, sought, after) => {
      const pattern = thinnedPattern(sought, frequent)
      if (pattern === undefined) return
      const parts = pattern.split('%').map((part) => part.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`))
      expect(`${before}${sought}${after}`).toMatch(new RegExp(`^${parts.join('.*')}$`, 'su'))
    }),
  )
})
