import { expect, test } from 'vitest'
import { writeValue } from './values.ts'

test('a code is written in words, and what people have typed as it is', () => {
  expect(writeValue('decision', 'warn_owner')).toBe('warn owner')
  expect(writeValue('note', 'warn_owner')).toBe('warn_owner')
})

test.for<[unknown, string]>([
  [undefined, '–'],
  [null, '–'],
  ['Ada, "the first"', 'Ada, "the first"'],
  [['expo', 'fcm/swapbell'], 'expo, fcm/swapbell'],
  [[], '[]'],
  [[1, 'a'], '[1,"a"]'],
  [{ until: 3 }, '{"until":3}'],
  [false, 'false'],
])('%j is written as %s', ([value, text]) => {
  expect(writeValue('note', value)).toBe(text)
})
