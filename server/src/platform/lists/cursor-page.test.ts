import { array, assert, asyncProperty, constantFrom, integer, property, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCursors, readLimit, writeRows } from './cursor-page.ts'

const BY_ID = createCursors('things', ['number'])
const IN_WAYS = createCursors('things in ways', [['up', 'down'], 'number'])

describe('a cursor', () => {
  test('decodes to the keys that it was made of', () => {
    assert(
      property(tuple(constantFrom('up' as const, 'down' as const), integer()), (keys) => {
        expect(IN_WAYS.read({ cursor: IN_WAYS.write(keys) })).toEqual(keys)
      }),
    )
    expect(BY_ID.read({})).toBeUndefined()
  })

  test.for([
    ['no base64url', 'a b'],
    ['no JSON', Buffer.from('[1,').toString('base64url')],
    ['no list', encoded({ length: 2 })],
    ['another list', createCursors('others', ['number']).write([7])],
    ['too few keys', encoded(['things'])],
    ['too many keys', encoded(['things', 1, 2])],
    ['a text for a number', encoded(['things', '1'])],
    ['half a row', encoded(['things', 1.5])],
    ['a number beyond the safe ones', encoded(['things', 2 ** 53])],
    ['nothing', encoded(['things', null])],
  ])('that was tampered with is refused: %s', ([, cursor]) => {
    expect(() => BY_ID.read({ cursor: cursor! })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', extras: { errors: { cursor: [expect.any(String)] } } }),
    )
  })

  test.for([['sideways'], [''], ['up\0'], [['up']], [1]])('holds no word that its list has not: %j', ([word]) => {
    const cursor = encoded(['things in ways', word, 1])
    expect(() => IN_WAYS.read({ cursor })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }))
  })
})

test('walking pages gives each row that was there once, whatever is added on the way', async () => {
  const additions = array(constantFrom('before', 'after'), { maxLength: 60 })
  await assert(
    asyncProperty(integer({ min: 0, max: 60 }), integer({ min: 1, max: 7 }), additions, async (count, limit, added) => {
      const ids = Array.from({ length: count }, (_, n) => n * 10)
      const there = [...ids]
      const seen: number[] = []
      let cursor: string | undefined
      do {
        const asked = BY_ID.readPage(cursor === undefined ? { limit } : { cursor, limit })
        const [after = Infinity] = asked.after ?? []
        const rows = ids.toSorted((a, b) => b - a).filter((id) => id < after)
        const how = { toCursor: (id: number) => BY_ID.write([id]), view: (id: number) => id }
        const page = writeRows(rows.slice(0, asked.limit), asked, how)
        expect(page.data.length).toBeLessThanOrEqual(limit)
        seen.push(...page.data)
        cursor = page.next_cursor ?? undefined
        const addition = added.shift()
        if (addition !== undefined) ids.push(addition === 'before' ? Math.max(0, ...ids) + 1 : Math.min(0, ...ids) - 1)
      } while (cursor !== undefined)
      expect(new Set(seen).size).toBe(seen.length)
      expect(there.filter((id) => !seen.includes(id))).toEqual([])
    }),
  )
})

test('a limit has a default and a maximum', () => {
  expect([readLimit({}), readLimit({ limit: 3 }), readLimit({ limit: 1_000 })]).toEqual([20, 3, 100])
})

function encoded(values: unknown): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}
