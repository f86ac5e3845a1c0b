import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import type { Deps } from '../../deps.ts'
import { createWalk } from './walks.queries.ts'

const LENGTH = 12_000
const ROWS = sql`select n from generate_series(1, ${LENGTH}::int) n order by n`
const page = fc.record({ offset: fc.nat(LENGTH + 100), perPage: fc.integer({ min: 1, max: 100 }) })

/** A walk, and how many messages it has sent to the database. */
function countedWalk({ db, pool }: Deps) {
  const sent = { count: 0 }
  const ran = () => void sent.count++
  return { walk: createWalk({ db, pool: Object.create(pool, { ran: { value: ran } }) as typeof pool }), sent }
}

test('pages requested at one time equal the pages requested one by one', async ({ deps }) => {
  const { walk } = countedWalk(deps)
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 30 }), async (pages) => {
      const found = await Promise.all(pages.map((wanted) => walk(ROWS, wanted)))
      for (const [index, { offset, perPage }] of pages.entries()) {
        const length = Math.max(0, Math.min(perPage, LENGTH - offset))
        expect(found[index]).toEqual(Array.from({ length }, (_, place) => offset + place + 1))
      }
    }),
    { numRuns: 25 },
  )
})

test('pages of the same rows share one message, those of others have their own', async ({ deps }) => {
  const { walk, sent } = countedWalk(deps)
  const pages = Array.from({ length: 50 }, (_, n) => ({ offset: 20 * n, perPage: 20 }))
  await Promise.all(pages.map((wanted) => walk(ROWS, wanted)))
  expect(sent.count).toBe(1)
  await Promise.all([walk(ROWS, pages[0]!), walk(sql`select 7::bigint as n`, pages[0]!)])
  expect(sent.count).toBe(3)
})
