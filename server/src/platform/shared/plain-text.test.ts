import { array, assert, constantFrom, oneof, property, string, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { faultOfText, patternOfText } from './plain-text.ts'

describe('A name', () => {
  test.for([
    'Ada Lovelace',
    'O’Neill-Łukasiewicz',
    '李明',
    'さくら',
    'محمد‎ علي',
    'שָׁלוֹם',
    'می‌خواهم',
    'नरेंद्र',
    'நிலா',
    '👩‍👩‍👧‍👦 family',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '❤️',
    'Zoë\u0308',
    'x',
  ])('of %s passes', (name) => {
    expect(faultOfText(name, 'line')).toBeUndefined()
    expect(faultOfText(name, 'lines')).toBeUndefined()
  })

  test.for([
    ['a bell', 'a\u0007b'],
    ['a line feed', 'a\nb'],
    ['a carriage return', 'a\rb'],
    ['a tab', 'a\tb'],
    ['DEL', 'a\u007f'],
    ['a C1 control', 'a\u0085b'],
    ['a line separator', 'a\u2028b'],
    ['a paragraph separator', 'a\u2029b'],
  ])('with %s is refused', ([, name]) => {
    expect(faultOfText(name!, 'line')).toBe('must not contain line breaks, tabs or other control characters')
  })

  test.for(['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069', '\u206a'])(
    'with the direction mark %j is refused',
    (mark) => {
      for (const layout of ['line', 'lines'] as const)
        expect(faultOfText(`user${mark}gpj.exe`, layout)).toMatch(/turn the direction of writing/)
    },
  )

  test.for(['\u200b', '\u2060 \ufeff', '\u00ad', '\u3164', '\u2800', '\ufe0f\u200d', '\u202e'])(
    'of nothing to see (%j) is refused',
    (name) => {
      expect(faultOfText(name, 'line')).toBe('must contain at least one visible character')
    },
  )
})

test.for([' ', '\u00a0\u3000', ' \t', '\n', ''])('a name of blanks alone (%j) is refused', (name) => {
  expect(faultOfText(name, 'line')).toBe('must not be blank')
})

describe('A message', () => {
  test('may have several lines, however they end', () => {
    expect(faultOfText('one\ntwo\r\nthree', 'lines')).toBeUndefined()
  })

  test.for(['one\rtwo', 'one\ttwo', 'one\u0000', 'one\u001b[31m', 'one\u009b31m'])('of %j is refused', (text) => {
    expect(faultOfText(text, 'lines')).toBe('must not contain control characters other than line breaks')
  })

  test('of line breaks alone is refused', () => {
    expect(faultOfText('\n\r\n', 'lines')).toBe('must not be blank')
  })
})

test('one bad character anywhere is found in any text', () => {
  const bad = constantFrom('\u0000', '\u001b', '\u009f', '\u202e', '\u2067')
  assert(
    property(tuple(string({ unit: 'grapheme' }), bad, string({ unit: 'grapheme' })), ([before, mark, after]) => {
      expect(faultOfText(before + mark + after, 'line')).toBeDefined()
      expect(faultOfText(before + mark + after, 'lines')).toBeDefined()
    }),
  )
})

test('the pattern that the API shows allows the same texts', () => {
  const telling = constantFrom(
    'a',
    ' ',
    '\n',
    '\r',
    '\t',
    '\u0000',
    '\u2028',
    '\u202e',
    '\u2067',
    '\u200b',
    '\u2800',
    '😀',
  )
  const part = oneof(telling, string({ unit: 'grapheme', maxLength: 2 }))
  const text = array(part, { maxLength: 6 }).map((parts) => parts.join(''))
  for (const layout of ['line', 'lines'] as const) {
    const pattern = new RegExp(patternOfText(layout))
    const isSame = (one: string) => pattern.test(one) === (faultOfText(one, layout) === undefined)
    assert(property(text, isSame), { numRuns: 2_000 })
  }
})
