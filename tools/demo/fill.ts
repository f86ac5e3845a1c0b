import type { Tx } from '../../server/src/platform/db/connect.ts'
import { analyze, byLookup } from './bulk.queries.ts'
import { rangesOf, type Dataset, type Range } from './dataset.ts'
import { insertChats, insertLikes, insertReports, insertSubscriptions } from './activity-rows.queries.ts'
import { countGaps, createDrafts, insertPeople } from './people.queries.ts'
import { createLikable, insertProducts } from './products.queries.ts'
import { insertSwaps } from './swaps.queries.ts'

/** The steps of `fill`, in their order. */
export const STEPS = [
  'people and their days',
  'products',
  'swaps and what was said',
  'likes, subscriptions and reports',
] as const

export type Step = (typeof STEPS)[number]

type Insert = (tx: Tx, dataset: Dataset, range: Range) => Promise<void>

/**
 * Puts a dataset into the database: people with their days, products, swaps with what was said, likes, reports and
 * subscriptions, range by range. `tell` hears of each step the share (0 to 1) that is done.
 */
export async function fill(tx: Tx, dataset: Dataset, tell: (step: Step, share: number) => void): Promise<void> {
  const insertRanges = async (step: Step, ...parts: { count: number; inserts: Insert[] }[]) => {
    const ranges = parts.flatMap(({ count, inserts }) =>
      rangesOf(count, dataset.atOnce).map((range) => ({ range, inserts })),
    )
    for (const [index, { range, inserts }] of ranges.entries()) {
      for (const insert of inserts) await insert(tx, dataset, range)
      tell(step, (index + 1) / ranges.length)
    }
  }
  await createDrafts(tx)
  await createLikable(tx)
  await insertRanges('people and their days', { count: dataset.users, inserts: [insertPeople] })
  await countGaps(tx)
  await analyze(tx, 'users')
  await insertRanges('products', { count: dataset.products, inserts: [insertProducts] })
  await analyze(tx, 'products')
  await insertRanges('swaps and what was said', { count: dataset.swaps, inserts: [insertSwaps, insertChats] })
  await analyze(tx, 'swaps')
  await byLookup(tx, () =>
    insertRanges(
      'likes, subscriptions and reports',
      { count: dataset.users, inserts: [insertLikes, insertSubscriptions] },
      { count: dataset.products, inserts: [insertReports] },
    ),
  )
}
