import type { Tx } from '../../server/src/platform/db/connect.ts'
import { insertChats, insertLikes, insertReports, insertSubscriptions } from './activity-rows.queries.ts'
import { advanceIds, analyze, byLookup } from './bulk.queries.ts'
import { listRanges, type Dataset, type Range } from './dataset.ts'
import { countExits, countLikes, insertListings } from './load-rows.queries.ts'
import { switchTriggers } from './load-tasks.queries.ts'
import { countGaps, insertPeople } from './people.queries.ts'
import { insertProducts } from './products.queries.ts'
import { insertSwaps } from './swaps.queries.ts'

/** The steps of a load, in their order. */
export const STEPS = [
  'people and their days',
  'products',
  'swaps and what was said',
  'likes, subscriptions and reports',
  'listings',
  'indexes and keys',
] as const

export type Step = (typeof STEPS)[number]

/**
 * A part of what fills the tables. Works of one stage, and the ranges of one work, can run beside each other; those of
 * a later stage need them. `by`: range by range over so many; without it once.
 */
export type Work = {
  step: Step
  stage: number
  by?: 'users' | 'products' | 'swaps'
  run: (tx: Tx, dataset: Dataset, range: Range) => Promise<void>
}

/**
 * What makes people with active days, products, swaps with chats, likes, reports and subscriptions, and then what the
 * triggers that are switched off meanwhile would have written.
 */
export const WORKS: Record<string, Work> = {
  people: { step: 'people and their days', stage: 1, by: 'users', run: insertPeople },
  gaps: { step: 'people and their days', stage: 2, run: countGaps },
  'statistics of users': {
    step: 'people and their days',
    stage: 2,
    run: (tx) => analyze(tx, 'users', ['user_id', 'created_at', 'status']),
  },
  products: { step: 'products', stage: 3, by: 'products', run: insertProducts },
  'statistics of products': {
    step: 'products',
    stage: 4,
    run: (tx) => analyze(tx, 'products', ['product_id', 'user_id', 'status', 'verification']),
  },
  swaps: {
    step: 'swaps and what was said',
    stage: 5,
    by: 'swaps',
    run: async (tx, dataset, range) => {
      await insertSwaps(tx, dataset, range)
      await insertChats(tx, dataset, range)
    },
  },
  'statistics of swaps': {
    step: 'swaps and what was said',
    stage: 6,
    run: (tx) => analyze(tx, 'swaps', ['swap_id', 'status']),
  },
  likes: {
    step: 'likes, subscriptions and reports',
    stage: 7,
    by: 'users',
    run: (tx, dataset, range) =>
      byLookup(tx, async () => {
        await insertLikes(tx, dataset, range)
        await insertSubscriptions(tx, dataset, range)
      }),
  },
  reports: {
    step: 'likes, subscriptions and reports',
    stage: 7,
    by: 'products',
    run: (tx, dataset, range) => byLookup(tx, () => insertReports(tx, dataset, range)),
  },
  exits: { step: 'people and their days', stage: 2, run: countExits },
  'counts of likes': { step: 'listings', stage: 8, run: countLikes },
  listings: { step: 'listings', stage: 9, by: 'products', run: insertListings },
  ids: { step: 'listings', stage: 10, run: advanceIds },
}

/** The ranges of a work; a work that runs once has one, which it ignores. */
export function rangesOfWork({ by }: Work, dataset: Dataset): Range[] {
  return by === undefined ? [{ first: 0, last: 0 }] : listRanges(dataset[by], dataset.atOnce)
}

/** Puts a dataset into the database in one transaction. */
export async function fill(tx: Tx, dataset: Dataset): Promise<void> {
  await switchTriggers(tx, 'disable')
  for (const work of Object.values(WORKS))
    for (const range of rangesOfWork(work, dataset)) await work.run(tx, dataset, range)
  await switchTriggers(tx, 'enable')
}
