import { array, assert, constantFrom, property, string, webUrl } from 'fast-check'
import { expect, test } from 'vitest'
import { readBackPath } from './back.ts'

const PANEL = 'https://panel.example'

test.for<[string, string]>([
  ['', '/'],
  ['?back=%2Fusers%3Fstatus%3Dactive', '/users?status=active'],
  ['?back=%2Fusers%23top', '/users#top'],
  ['?back=%2F%2Fexample.com', '/'],
  ['?back=%2F%5Cexample.com', '/'],
  ['?back=%2F%09%2Fexample.com', '/'],
  ['?back=%2F%0A%2Fexample.com', '/'],
  ['?back=%2F%0D%5Cexample.com', '/'],
  ['?back=%09%2F%2Fexample.com', '/'],
  ['?back=%2F.%2F%2Fexample.com', '/'],
  ['?back=%2Fa%2F..%2F%2Fexample.com', '/'],
  ['?back=https%3A%2F%2Fexample.com', '/'],
  ['?back=javascript%3Aalert(1)', '/'],
])('after signing in, %j leads to %s, an address of the panel', ([search, back]) => {
  expect(readBackPath(search)).toBe(back)
})

test('after signing in, nobody is led away from the panel, whatever the address says', () => {
  const piece = constantFrom(
    '/',
    '\\',
    '\t',
    '\n',
    '\r',
    ' ',
    '\0',
    '.',
    '..',
    ':',
    '@',
    '?',
    '#',
    '%2f',
    '%09',
    'https:',
  )
  const text = array(
    constantFrom(piece, string(), webUrl()).chain((part) => part),
    { maxLength: 8 },
  )
  assert(
    property(text, (parts) => {
      const search = `?${new URLSearchParams({ back: parts.join('') })}`
      expect(new URL(readBackPath(search), `${PANEL}/sign-in`).origin).toBe(PANEL)
    }),
    { numRuns: 5_000 },
  )
})
