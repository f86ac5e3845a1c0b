import { expect, test } from 'vitest'
import { readBackPath } from './back.ts'

test.for<[string, string]>([
  ['', '/'],
  ['?back=%2Fusers%3Fstatus%3Dactive', '/users?status=active'],
  ['?back=%2F%2Fexample.com', '/'],
  ['?back=%2F%5Cexample.com', '/'],
  ['?back=https%3A%2F%2Fexample.com', '/'],
  ['?back=javascript%3Aalert(1)', '/'],
])('after signing in, %j leads to %s, an address of the panel', ([search, back]) => {
  expect(readBackPath(search)).toBe(back)
})
