import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeFields } from './merge.ts'

const NAMES = ['name', 'city', 'phone', 'role']
const record = fc.record(Object.fromEntries(NAMES.map((name) => [name, fc.constantFrom(null, 'a', 'b', 'c')])))

describe('Two edits of one record', () => {
  test('are merged where only one of them changed a field', () => {
    const before = { name: 'Ann', city: 'Ghent', phone: null }
    const theirs = { ...before, city: 'Bruges' }
    expect(mergeFields(before, { name: 'Anna', city: 'Ghent', phone: null }, theirs)).toEqual({
      save: { name: 'Anna' },
      conflicts: [],
    })
  })

  test('conflict where both changed the same field to different values', () => {
    const merged = mergeFields({ name: 'Ann' }, { name: 'Anna' }, { name: 'Anne' })
    expect(merged).toEqual({ save: {}, conflicts: [{ name: 'name', before: 'Ann', mine: 'Anna', theirs: 'Anne' }] })
  })

  test('lose no change of either side, for any records', () => {
    fc.assert(
      fc.property(record, record, record, (before, mine, theirs) => {
        const { save, conflicts } = mergeFields(before, mine, theirs)
        const after: Record<string, unknown> = { ...theirs, ...save }
        for (const name of NAMES) {
          const isConflict = conflicts.some((conflict) => conflict.name === name)
          const [iChanged, theyChanged] = [mine[name] !== before[name], theirs[name] !== before[name]]
          expect(isConflict).toBe(iChanged && theyChanged && mine[name] !== theirs[name])
          if (!isConflict) expect(after[name]).toBe(iChanged ? mine[name] : theirs[name])
        }
      }),
    )
  })
})
