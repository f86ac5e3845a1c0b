import * as fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'

describe('A list of texts', () => {
  test('is read as it was written, whatever it holds', async ({ deps }) => {
    const text = fc.oneof(
      fc.constantFrom(
        '',
        'NULL',
        'null',
        'a,b',
        '{',
        '}',
        '{}',
        '"',
        '\\',
        ' ',
        ' a ',
        'é',
        'InvalidCredentials',
        'expo ios',
      ),
      fc.string({ maxLength: 5 }).map((any) => any.replaceAll('\0', '')),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text), { maxLength: 5 }), async (texts) => {
        const { rows } = await sql<{ texts: (string | null)[] }>`select ${texts}::text[] as texts`.execute(deps.db)
        expect(rows).toEqual([{ texts }])
      }),
      { numRuns: 300 },
    )
  })
})

describe('A list of numbers', () => {
  test.for(['smallint', 'integer', 'bigint'])(
    'of type %s is read as it was written, also without some',
    async (type, { deps }) => {
      const number = fc.option(fc.integer({ min: -32_768, max: 32_767 }))
      await fc.assert(
        fc.asyncProperty(fc.array(number, { maxLength: 5 }), async (numbers) => {
          const { rows } = await sql`select ${numbers}::${sql.raw(type)}[] as numbers`.execute(deps.db)
          expect(rows).toEqual([{ numbers }])
        }),
        { numRuns: 100 },
      )
    },
  )

  test('is read from whichever place it is counted, and in lists', async ({ deps }) => {
    const { rows } = await sql`select '[0:1]={1,2}'::integer[] as shifted, '{{1,2},{3,4}}'::integer[] as lists`.execute(
      deps.db,
    )
    expect(rows).toEqual([
      {
        shifted: [1, 2],
        lists: [
          [1, 2],
          [3, 4],
        ],
      },
    ])
  })
})
