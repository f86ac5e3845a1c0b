// Slow: a second or more for each test, or five for the file.
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenProduct } from '../../../test/support/marketplace.ts'
import type { Deps } from '../../deps.ts'
import { containing, findReach } from '../../platform/lists/pattern.ts'
import { allProducts } from './products-search.queries.ts'

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
const PAGE = { perPage: 100, offset: 0, by: 'id', direction: 'asc' } as const

/** What a product says. A search is a part of it, so its outer words may be cut, and its words may be in any order. */
const said = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(' '))
const sought = fc
  .tuple(said, fc.nat(3), fc.nat(3))
  .map(([text, start, end]) =>
    text
      .slice(start, text.length - end)
      .split(' ')
      .toReversed()
      .join(' '),
  )
  .filter((text) => text.trim() !== '')

test('a search of several words finds what plain SQL finds, in whatever order the words are', async ({
  deps,
  given,
}) => {
  const owner = await given.user()
  const texts = fc.sample(fc.tuple(said, said), { numRuns: 90, seed: 5 })
  for (const [title, description] of texts) await givenProduct(deps, owner, { title, description })
  const searches = fc.sample(sought, { numRuns: 400, seed: 7 })
  let found = 0
  for (const search of searches) {
    const filter = { deleted: 'exclude', userId: owner.userId, search } as const
    const { rows, total } = await allProducts.page(deps, { filter, page: PAGE })
    const expected = await plainly(deps, owner.userId, search)
    expect
      .soft(
        rows.map((row) => row.product_id),
        JSON.stringify(search),
      )
      .toEqual(expected)
    expect.soft(total, JSON.stringify(search)).toEqual({ total: expected.length, isEstimate: false })
    found += expected.length
  }
  expect(found).toBeGreaterThan(searches.length)
})

async function plainly({ db }: Deps, userId: number, search: string): Promise<number[]> {
  const words = search.trim().split(/\s+/u)
  // A word that no index finds must begin a word when there are others.
  const patterns = words.map((word) =>
    containing(words.length > 1 && findReach(word) !== 'anywhere' ? ` ${word}` : word),
  )
  const { rows } = await sql<{ product_id: number }>`
    select product_id from products where user_id = ${userId} and ' ' || title || ' ' || description ilike all (${patterns}::text[])
    order by product_id`.execute(db)
  return rows.map((row) => row.product_id)
}
