import { expect, test } from 'vitest'
import { coversEverybody, isNetwork } from './cidr.ts'

test.for<[networks: string[], isWide: boolean]>([
  [[], false],
  [['10.0.0.0/8', '10.1.0.0/16', '11.0.0.0/8', '192.0.2.7', '::1'], false],
  [['0.0.0.0/4'], false],
  [['0.0.0.0/4', '192.0.2.7/32'], true],
  [['0.0.0.0/0'], true],
  [['::/0'], true],
  [['0.0.0.0/1', '128.0.0.0/1'], true],
  [['::ffff:0.0.0.0/96'], true],
  [['4000::/3', '192.0.2.7'], true],
  [['fd00::/8', '2001:db8::/32'], false],
])('whether %j let everybody in: %s', ([networks, isWide]) => {
  expect(coversEverybody(networks)).toBe(isWide)
})

test.for<[string, boolean]>([
  ['10.0.0.0/8', true],
  ['10.0.0.1', true],
  ['::1/128', true],
  ['2001:db8::/32', true],
  ['10.0.0.0/33', false],
  ['::/129', false],
  ['10.0.0.0/8/8', false],
  ['10.0.0.0/', false],
  ['10.0.0.0/255.0.0.0', false],
  ['loopback', false],
  ['', false],
])('%s is a network: %s', ([value, expected]) => {
  expect(isNetwork(value)).toBe(expected)
})
