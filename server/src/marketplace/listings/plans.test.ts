// For CI: query plans on tables of up to a million rows.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commitAs } from '../../../test/support/commit.ts'
import { scannedBy, watchPlans, type PlanWatch } from '../../../test/support/plans.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import { fillMarket, WORD } from '../../../../tools/bench/browse-data.ts'
import { likeProduct, unlikeProduct } from '../likes/likes.ts'
import { listOwn } from '../own-products/own-list.queries.ts'
import { editOwnProduct, pauseOwnProduct } from '../own-products/own-products.ts'
import { listReportsBy } from '../reports/reports.queries.ts'
import { listLiked } from './liked.queries.ts'
import { browse, countedCategories, findMatches, buildPublicPage, type BrowseQuery } from './listings.ts'
import { productFor } from './product-page.ts'

const PRODUCTS = 60_000
const LARGE = ['products', 'listings', 'likes', 'users', 'swaps', 'swap_items', 'product_reports']
const ME = 77
const FIRST = { viewerId: ME, limit: 20 }
const OWN = { userId: ME, after: undefined, limit: 20 }

let service: Service
let watch: PlanWatch
let frequent: string

beforeAll(async () => {
  service = await startService()
  await fillMarket(service.deps.pool, { products: PRODUCTS, users: 10_000 })
  const { rows } = await service.deps.pool.query<{ word: string }>(`select ${WORD('0')} as word`)
  frequent = rows[0]!.word
  watch = await watchPlans(service)
})

afterAll(async () => {
  await watch.close()
  await service.close()
})

const QUERIES: [string, BrowseQuery][] = [
  ['nothing', {}],
  ['a category', { category: 'category-9' }],
  ['a category with those below it', { category: 'category-1' }],
  ['a city', { city: 'city 3' }],
  ['a city and a category', { city: 'City 3', category: 'category-2' }],
  ['a condition', { condition: 'fair' }],
  ['a text that none holds', { search: 'nowhere' }],
  ['two words', { search: 'nowhere at' }],
]

test.for<[string, () => Promise<unknown>]>([
  ...QUERIES.flatMap(([what, query]): [string, () => Promise<unknown>][] => [
    [
      `browsing with ${what}, newest first`,
      () => browse(watch.deps, query, { ...FIRST, by: 'newest', after: undefined }),
    ],
    [
      `browsing with ${what}, from the middle of the most liked`,
      () => browse(watch.deps, query, { ...FIRST, by: 'most_liked', after: [1, 30_000] }),
    ],
  ]),
  [
    'browsing with a frequent word',
    () => browse(watch.deps, { search: frequent }, { ...FIRST, by: 'newest', after: undefined }),
  ],
  ['a product', () => productFor(watch.deps.db, ME, 4_711)],
  ['a person', () => buildPublicPage(watch.deps, { ...FIRST, userId: 5, after: undefined })],
  ['the categories', () => countedCategories(watch.deps.db)],
  ['the own list', () => listOwn(watch.deps.db, { ...OWN, status: 'paused' })],
  ['what somebody likes', () => listLiked(watch.deps.db, { ...OWN, after: [1_800_000_000_000_000, 7] })],
  ['the matches', () => findMatches(watch.deps.db, OWN)],
  ['the own reports', () => listReportsBy(watch.deps.db, { reporterId: ME, after: undefined, limit: 20 })],
  ['a like', () => commitAs({ userId: ME }, watch.deps, likeProduct, { productId: 31 })],
  ['a like that is taken back', () => commitAs({ userId: ME }, watch.deps, unlikeProduct, { productId: 31 })],
  ['an edit', () => edit()],
  ['a pause', () => pause()],
])('%s reads no large table from end to end, at 60,000 products', async ([, run]) => {
  watch.plans.length = 0
  await run()
  await run()
  expect(watch.plans.length).toBeGreaterThan(0)
  expect(scannedBy(watch.plans).filter((table) => LARGE.includes(table))).toEqual([])
})

test.for([
  ['nothing', {}, 'listings_newest'],
  ['a category', { category: 'category-9' }, 'listings_category'],
  ['a city', { city: 'City 3' }, 'listings_city'],
  ['both', { city: 'City 3', category: 'category-9' }, 'listings_city_category'],
] as [string, BrowseQuery, string][])(
  'a page with %s is read from the index that holds filter and order',
  async ([, query, index]) => {
    for (const [by, after, name] of [
      ['newest', [20_000], index],
      ['most_liked', [1, 20_000], index === 'listings_newest' ? 'listings_liked' : `${index}_liked`],
    ] as const) {
      watch.plans.length = 0
      await browse(watch.deps, query, { ...FIRST, by, after })
      expect(watch.plans.join('\n')).toMatch(new RegExp(`Index (?:Only )?Scan (?:Backward )?(?:using|on) ${name} `))
    }
  },
)

async function ownId(status: string): Promise<{ userId: number; productId: number; expected: undefined }> {
  const { product_id, user_id } = await service.deps.db
    .selectFrom('products')
    .select(['product_id', 'user_id'])
    .where('status', '=', status as 'active')
    .where('verification', '=', 'verified')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { userId: user_id, productId: product_id, expected: undefined }
}

async function edit(): Promise<unknown> {
  const own = await ownId('active')
  return commitAs(own, watch.deps, editOwnProduct, { ...own, edit: { title: 'Another' } })
}

async function pause(): Promise<unknown> {
  const own = await ownId('active')
  return commitAs(own, watch.deps, pauseOwnProduct, own)
}
