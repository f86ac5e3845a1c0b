import type { Tx } from '../../server/src/platform/db/connect.ts'
import { analyze } from './bulk.queries.ts'
import { rangesOf, type Crowd } from './crowd.ts'
import { insertChats, insertLikes, insertReports, insertSubscriptions } from './doings.queries.ts'
import { countGaps, createDrafts, insertPeople } from './people.queries.ts'
import { insertProducts } from './products.queries.ts'
import { insertSwaps } from './swaps.queries.ts'

/**
 * Puts a crowd into the database: people with their days, products, swaps with what was said, likes, reports and
 * subscriptions, range by range. `say` hears what is done.
 */
export async function fill(tx: Tx, crowd: Crowd, say: (done: string) => void): Promise<void> {
  const eachRange = async (
    count: number,
    steps: ((tx: Tx, crowd: Crowd, range: { first: number; last: number }) => Promise<void>)[],
  ) => {
    for (const range of rangesOf(count, crowd.atOnce)) for (const step of steps) await step(tx, crowd, range)
  }
  await createDrafts(tx)
  await eachRange(crowd.users, [insertPeople])
  await countGaps(tx)
  await analyze(tx, 'users')
  say('users and their activity')
  await eachRange(crowd.products, [insertProducts])
  await analyze(tx, 'products')
  say('products')
  await eachRange(crowd.swaps, [insertSwaps, insertChats])
  await analyze(tx, 'swaps')
  say('swaps and messages')
  await eachRange(crowd.users, [insertLikes, insertSubscriptions])
  await eachRange(crowd.products, [insertReports])
  say('likes, subscriptions and reports')
}
