import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureCover, isNetwork } from './cidr.ts'

const byte = fc.nat(255)
const v4 = fc.tuple(fc.tuple(byte, byte, byte, byte), fc.integer({ min: 0, max: 12 }))

describe('The share of all addresses in networks', () => {
  test('is that of the largest, of all together, and of nothing counted twice', () => {
    expect(measureCover([])).toBe(0)
    expect(measureCover(['0.0.0.0/0'])).toBe(1)
    expect(measureCover(['::/0'])).toBe(1)
    expect(measureCover(['0.0.0.0/1', '128.0.0.0/1'])).toBe(1)
    expect(measureCover(['::ffff:0.0.0.0/96'])).toBe(1)
    expect(measureCover(['10.0.0.0/8', '10.1.0.0/16', '11.0.0.0/8'])).toBeCloseTo(2 / 256, 5)
    expect(measureCover(['4000::/3', '192.0.2.7'])).toBeCloseTo(1 / 8, 5)
  })

  test('of one network is that of its length, and stays so when it is cut in two, repeated or reordered', () => {
    fc.assert(
      fc.property(v4, ([[a, b, c, d], bits]) => {
        const number = ((a * 256 + b) * 256 + c) * 256 + d
        const size = 2 ** (32 - bits)
        const start = number - (number % size)
        const half = (from: number) =>
          `${[24, 16, 8, 0].map((shift) => Math.floor(from / 2 ** shift) % 256).join('.')}/${bits + 1}`
        const whole = measureCover([`${[a, b, c, d].join('.')}/${bits}`])
        expect(whole).toBeCloseTo(2 ** -bits, 5)
        const halves = [half(start), half(start + size / 2)]
        expect(measureCover(halves)).toBeCloseTo(whole, 5)
        expect(measureCover([...halves.toReversed(), ...halves])).toBe(measureCover(halves))
      }),
    )
  })
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
