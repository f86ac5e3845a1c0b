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
