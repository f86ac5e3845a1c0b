import { describe, expect, test } from 'vitest'
import { errors, type AppError } from '../../../server/src/platform/shared/errors.ts'
import { inOwnWords } from './messages.ts'

const makers = Object.values(errors) as ((...given: string[]) => AppError)[]
const CODES = makers.map((make) => make('', '').code)

describe('A refusal of the API', () => {
  test('has a sentence of the panel for every code', () => {
    expect(CODES.length).toBeGreaterThan(20)
    expect(CODES.filter((code) => inOwnWords(code, 'As the API says.').message === 'As the API says.')).toEqual([])
  })

  test('shows the text of the API if it says more or its code is unknown', () => {
    expect(inOwnWords('INVALID_STATE', 'Product 5 is removed.')).toEqual({
      message: 'This is not possible as things are now',
      detail: 'Product 5 is removed.',
    })
    expect(inOwnWords('NEW_CODE', 'As the API says.')).toEqual({ message: 'As the API says.', detail: undefined })
  })
})
