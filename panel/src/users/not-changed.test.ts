import { expect, test } from 'vitest'
import { NOT_CHANGED } from '../../../server/src/administration/accounts/bulk.queries.ts'
import { errors, type AppError } from '../../../server/src/platform/shared/errors.ts'
import { whyNotChanged } from './not-changed.ts'

test('every code for an account that a bulk change skipped has a text', () => {
  const makers = Object.values(errors) as ((...given: string[]) => AppError)[]
  const codes = [...NOT_CHANGED, ...makers.map((make) => make('', '').code)]
  expect(codes.length).toBeGreaterThan(25)
  expect(codes.filter((code) => /[A-Z]{2}/.test(whyNotChanged(code)))).toEqual([])
})
