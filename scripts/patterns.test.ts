import { describe, expect, test } from 'vitest'
import { findFaults } from './check-patterns.ts'
import { patternsIn } from './find-patterns.ts'

const check = (text: string) => findFaults(patternsIn('a.ts', text), {})

describe('a pattern', () => {
  test.for([
    ['a literal', 'const A = /^[A-Za-z]+(?:[/_+-]?[A-Za-z0-9]+)*$/', 'exponential'],
    ['a literal in a call', 'text.replace(/\\s+$/, "")', '2nd degree polynomial'],
    ['made of a string', "const A = new RegExp('^(a|a)*$')", 'exponential'],
    ['made by a call', 'const A = RegExp(`^(a|a)*$`, "i")', 'exponential'],
    ['of a schema', "Type.String({ pattern: '^(a+)+$' })", 'exponential'],
    ['of a schema, raw', 'Type.String({ pattern: String.raw`^(\\d+)+$` })', 'exponential'],
    ['that is searched for as a string', "text.match('(a+)+b')", 'exponential'],
    ['in a generic function', 'const f = <T,>(a: T): boolean => /(x+x+)+y/.test(String(a))', 'exponential'],
  ])('on which a text can take long is found: %s', ([, text, time]) => {
    expect(check(text!)).toEqual([
      expect.stringMatching(new RegExp(`^a\\.ts:1: /.*/ takes ${time!} time, for instance on `)),
    ])
  })

  test.for([
    [
      'that is put together',
      'const A = new RegExp(`^${b}$`)',
      ['a.ts:1: is put together at run time, so that it cannot be checked'],
    ],
    ['without such a text', "const A = /^[a-z]+(?:-[a-z]+)*$/\nText({ pattern: '^a+$' })", []],
    ['that is none', "const A = { pattern: likeOf(text) }; a.match(B); '/(a+)+$/'; // /(a+)+$/", []],
  ] as const)('%s is told as what it is', ([, text, faults]) => {
    expect(check(text)).toEqual(faults)
  })

  test('is reported with its line', () => {
    expect(check('const a = 1\n\nconst B = /(a+)+$/\n')).toEqual([expect.stringMatching(/^a\.ts:3: /)])
  })

  test('may be built at run time if a reason is listed; a listed reason without such a pattern is a fault', () => {
    const built = patternsIn('a.ts', 'new RegExp(b)')
    expect(findFaults(built, { 'a.ts': 'It holds fixed text only.' })).toEqual([])
    expect(findFaults([], { 'a.ts': 'It holds fixed text only.' })).toEqual([
      'a.ts: builds no pattern at run time any more',
    ])
  })

  test('in a file that cannot be read fails the check', () => {
    expect(() => patternsIn('a.ts', 'const = ')).toThrow('a.ts: ')
  })
})
