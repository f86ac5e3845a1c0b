import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { bitsOf } from './entropy.ts'

test('random secrets have many bits, typed or repeated ones few', () => {
  for (let n = 0; n < 500; n++) {
    expect(bitsOf(randomBytes(16).toString('hex'))).toBeGreaterThan(96)
    expect(bitsOf(randomBytes(48).toString('base64'))).toBeGreaterThan(200)
  }
  for (const text of [
    '',
    'a'.repeat(64),
    'ab'.repeat(32),
    '0123456789',
    'qwertyuiop',
    'zyxwvutsrq',
    'swapbell'.repeat(8),
  ])
    expect(bitsOf(text)).toBeLessThan(40)
})

test('repeating a text adds next to nothing', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 3, maxLength: 40 }), fc.integer({ min: 2, max: 30 }), (text, times) => {
      expect(bitsOf(text.repeat(times))).toBeLessThanOrEqual(bitsOf(text) + 2 * Math.log2(2 * new Set(text).size))
    }),
  )
})
