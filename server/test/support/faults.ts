import { expect } from 'vitest'
import type { App } from '../../src/platform/http/routes.ts'

/** What `inject` gives. */
export type Answer = Awaited<ReturnType<App['inject']>>

/** The answer is an error of this status and code, in the envelope of the specification. */
export function expectError(answer: Answer, status: number, code: string): void {
  const body: unknown = answer.json()
  expect(body).toMatchObject({ success: false, code, error: expect.stringMatching(/.+/) as string })
  expect(body).toHaveProperty('request_id', answer.headers['x-request-id'])
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
}

/** The answer refuses the input and names this field, and no other. */
export function expectInvalid(answer: Answer, field: string, sentence: RegExp = /.+/): void {
  expectError(answer, 422, 'VALIDATION_ERROR')
  expect(answer.json<{ errors: unknown }>().errors).toEqual({
    [field]: expect.arrayContaining([expect.stringMatching(sentence)]) as string[],
  })
}

/** Values that a text field of at most `longest` characters refuses, by what is wrong with them. */
export function badTexts(longest: number): [what: string, value: unknown][] {
  return [
    ['missing', undefined],
    ['null', null],
    ['a number', 7],
    ['a list', ['text']],
    ['empty', ''],
    ['too long', 'x'.repeat(longest + 1)],
    ['with NUL', 'a\u0000b'],
    ['with a lone surrogate', 'a\ud800b'],
  ]
}
