// Slow: a second or more for each test, or five for the file.
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenProduct } from '../../../test/support/marketplace.ts'
import type { Deps } from '../../deps.ts'
import { containing } from '../../platform/lists/pattern.ts'
import { findProducts } from './products-search.queries.ts'

const WORDS = [
  'oak',
  'Oak',
  'soak',
  'oaks',
  'table',
  'stable',
  'tab',
  'of',
  'a',
  '',
  "it's",
  'c:\\x',
  '50%',
  'a_b',
  'Ä',
  'grüße',
  'e\tf',
]
/** Outer words of one and two letters, on either side and on both. */
const SHORT = [
  'k table',
  'ak table',
  'a oak',
  'oak t',
  'oak ta',
  'oak of',
  'k t',
  'ak t',
  'k ta',
  'ak ta',
  'f a',
  'a  o',
  's % t',
]
const PAGE = { perPage: 100, offset: 0, by: 'id', direction: 'asc' } as const

/** What a product says, or what is searched: words with a space between each, of which the outer ones may be cut. */
const said = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(' '))
const sought = fc
  .tuple(said, fc.nat(3), fc.nat(3))
  .map(([text, start, end]) => text.slice(start, text.length - end))
  .filter((text) => text.trim() !== '')

test('a search of several words finds what plain SQL finds, wherever the words begin and end', async ({
  deps,
  given,
}) => {
  const owner = await given.user()
  const texts = fc.sample(fc.tuple(said, said), { numRuns: 90, seed: 5 })
  for (const [title, description] of texts) await givenProduct(deps, owner, { title, description })
  const searches = [...SHORT, ...fc.sample(sought, { numRuns: 400, seed: 7 })]
  let found = 0
  for (const search of searches) {
    const filter = { deleted: 'exclude', userId: owner.userId, search } as const
    const { ids, total } = await findProducts(deps, filter, PAGE)
    const expected = await plainly(deps, owner.userId, search)
    expect.soft(ids, JSON.stringify(search)).toEqual(expected)
    expect.soft(total, JSON.stringify(search)).toEqual({ total: expected.length, isEstimate: false })
    found += expected.length
  }
  expect(found).toBeGreaterThan(searches.length)
})

async function plainly({ db }: Deps, userId: number, search: string): Promise<number[]> {
  const pattern = containing(search)
  const { rows } = await sql<{ product_id: number }>`
    select product_id from products where user_id = ${userId} and (title ilike ${pattern} or description ilike ${pattern})
    order by product_id`.execute(db)
  return rows.map((row) => row.product_id)
}
