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

const SAMPLE = [
  ...Array.from({ length: 10 }, () => ' xenia.jovanovic xenia@example.com xenia özgü'),
  ...Array.from({ length: 10 }, () => ' maria martina'),
  ...Array.from({ length: 10 }, () => ' martin'),
]

test.for<[string, string | undefined]>([
  ['xenia.jovanovic', '%%xen%.%jov%%'],
  ['Xenia Jovanovic', '%%Xen% %Jov%%'],
  ['%Jovanovic_x', String.raw`%\%%Jov%\_x%`],
  ['Özgü 1', '%%Özg% 1%'],
  ['maria d', '%%ari% d%'],
  ['martin xenia', '%%mar% %xen%%'],
  ['martina xenia', '%%ina% %xen%%'],
  ['jovanovic1', undefined],
  ['xen', undefined],
  ['', undefined],
])('a word in %s that one of its trigrams tells is looked for by that', ([text, pattern]) => {
  expect(thinnedPattern(text, SAMPLE)).toBe(pattern)
})

test('a word that none of its trigrams tells is looked for whole', () => {
  expect(thinnedPattern('martin', [...SAMPLE, ...SAMPLE.map(() => ' mart artin')])).toBeUndefined()
})

test('whatever contains a text is like its thinned pattern', () => {
  const unit = fc.constantFrom('a', 'B', 'İ', 'ß', '1', '.', ' ', '%', '_', String.raw`\ `.trim(), '😀')
  const text = fc.string({ unit, maxLength: 20 })
  fc.assert(
    fc.property(text, text, text, (before, sought, after) => {
      const pattern = thinnedPattern(
        sought,
        Array.from({ length: 10 }, () => sought.toLowerCase()),
      )
      if (pattern === undefined) return
      const like = pattern.replaceAll(/\\(.)|%|_|[^\p{L}\p{N}]/gsu, (found, escaped?: string) =>
        found === '%' ? '.*' : `\\u{${(escaped ?? found).codePointAt(0)!.toString(16)}}`,
      )
      expect(`${before}${sought}${after}`).toMatch(new RegExp(`^${like}$`, 'su'))
    }),
  )
})
