import { describe, expect, test } from 'vitest'
import { AppError } from '../shared/errors.ts'
import { readRange } from './listing.ts'

describe('A range (decision A5)', () => {
  test('of dates reaches in its zone from the first day to the end of the last', () => {
    const { from, to } = readRange({ start_date: '2026-03-28', end_date: '2026-03-29', timezone: 'Europe/Berlin' })
    expect(from?.toISOString()).toBe('2026-03-27T23:00:00.000Z')
    expect(to?.toISOString()).toBe('2026-03-29T22:00:00.000Z')
  })

  test('of instants ends before the last', () => {
    const { from, to } = readRange({ start_date: '2026-03-28T10:00:00+02:00', end_date: '2026-03-28T09:00Z' })
    expect(from?.toISOString()).toBe('2026-03-28T08:00:00.000Z')
    expect(to?.toISOString()).toBe('2026-03-28T09:00:00.000Z')
  })

  test('is open where nothing is said, in UTC', () => {
    expect(readRange({})).toEqual({ from: undefined, to: undefined, timezone: 'UTC' })
    expect(readRange({ start_date: '2026-01-01' }).from?.toISOString()).toBe('2026-01-01T00:00:00.000Z')
  })

  test.for([
    [{ start_date: '2026-02-30' }, 'start_date'],
    [{ end_date: '2026-02-30T10:00:00Z' }, 'end_date'],
    [{ end_date: '2026-02-28T25:00:00Z' }, 'end_date'],
    [{ start_date: '2026-03-02', end_date: '2026-03-01' }, 'end_date'],
    [{ timezone: '+05:30' }, 'timezone'],
  ] as const)('refuses %j and names the field', ([query, field]) => {
    expect(() => readRange(query)).toThrow(AppError)
    try {
      readRange(query)
    } catch (error) {
      expect(Object.keys((error as AppError).extras.errors ?? {})).toEqual([field])
    }
  })
})
