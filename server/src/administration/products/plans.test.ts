// For CI: query plans on tables of up to a million rows.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scannedBy, watchPlans, type PlanWatch } from '../../../test/support/plans.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import type { Deps } from '../../deps.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import { productReports } from '../../marketplace/reports/reports.queries.ts'
import { reportedProducts } from '../cases/reported-products.queries.ts'
import { decideProductReport } from '../cases/decide-reports.ts'
import { decideVerification, listQueue } from '../cases/verification.ts'
import { detailedProduct, listProducts, type ProductQuery } from './products.ts'
import { PRODUCT_ORDERS, type ProductPage } from './products-search.queries.ts'
import { inWork } from '../../platform/work/work.ts'

const PRODUCTS = 100_000
// Except the sums of reports, which are few and counted together.
const LARGE = ['products', 'product_reports', 'moderation_actions', 'state_changes', 'users', 'swaps']
const FIRST = { perPage: 20, offset: 0 }
const BY_ID = { ...FIRST, by: 'id', direction: 'desc' } as const

let service: Service
let watch: PlanWatch
let actor: Actor

beforeAll(async () => {
  service = await startService()
  await fill(service.deps)
  actor = { userId: 1, role: 'admin', ip: '127.0.0.1', userAgent: null, requestId: 'plans' }
  watch = await watchPlans(service)
})

afterAll(async () => {
  await watch.close()
  await service.close()
})

const FILTERS: [string, Partial<ProductQuery>][] = [
  ['no filter', {}],
  ['a rare status', { statuses: ['removed'] }],
  ['a verification', { verifications: ['rejected'] }],
  ['an owner', { userId: 77 }],
  ['a category', { category: 'c7' }],
  ['open reports', { hasOpenReports: true }],
  ['deleted ones', { deleted: 'only' }],
  ['a day', { from: new Date('2026-03-01'), to: new Date('2026-03-02') }],
  ['a text that few hold', { search: 'number 12345' }],
]

test.for<[string, () => Promise<unknown>]>([
  ...FILTERS.map(([what, wanted]): [string, () => Promise<unknown>] => [
    `the list with ${what}`,
    () => listProducts(watch.deps, { deleted: 'exclude', ...wanted }, BY_ID),
  ]),
  ...PRODUCT_ORDERS.flatMap((by): [string, () => Promise<unknown>][] =>
    (['asc', 'desc'] as const).map((direction) => [
      `the list by ${by} ${direction}`,
      () => listProducts(watch.deps, { deleted: 'exclude' }, { ...FIRST, by, direction }),
    ]),
  ),
  ['a product', () => detailedProduct(watch.deps.db, 4_711)],
  ['the queue', () => queue()],
  ['the queue’s far end', () => queue({}, { perPage: 20, offset: 1_000 })],
  ['the queue, newest first', () => queue({}, { direction: 'desc' })],
  ['the queue by title', () => queue({}, { by: 'title' })],
  ['the queue by value', () => queue({}, { by: 'estimated_value_cents', direction: 'desc' })],
  ['the queue of a category', () => queue({ category: 'c21' })],
  ['the queue of a day', () => queue({ submittedFrom: new Date('2026-03-01'), submittedTo: new Date('2026-03-02') })],
  ['the queue with a text', () => queue({ search: 'number 1234' })],
  ['the queue with two letters', () => queue({ search: 'mb' })],
  ['a list of up to 20,000 with two letters', () => list({ categories: 1, search: 'mb' })],
  ['a long list with two letters', () => list({ search: 'ab' })],
  ['reported products', () => reported({})],
  ['reported products in a state', () => reported({ statuses: ['in_review'] })],
  ['reported products for a reason', () => reported({ reasons: ['unsafe'] })],
  ['reported products of a day', () => reported({ from: new Date('2026-03-01'), to: new Date('2026-03-02') })],
  ['reported products with a text', () => reported({ search: 'number 12345' })],
  [
    'the reports of a product',
    async () => {
      const page = { ...FIRST, by: 'created_at', direction: 'desc' } as const
      await productReports.page(watch.deps, { filter: { subjectId: 40 }, page })
    },
  ],
  ['a verdict', () => decide('verified')],
  ['a rejection', () => decide('rejected')],
  ['a removal for a report', () => resolve()],
])('%s reads no large table from end to end, at 100,000 products', async ([, run]) => {
  watch.plans.length = 0
  await run()
  await run()
  expect(watch.plans.length).toBeGreaterThan(0)
  expect(scannedBy(watch.plans).filter((table) => LARGE.includes(table))).toEqual([])
})

test.for(PRODUCT_ORDERS)('a far page by %s is found without a look at the table', async (by) => {
  watch.plans.length = 0
  await listProducts(watch.deps, { deleted: 'exclude' }, { perPage: 20, offset: 70_000, by, direction: 'asc' })
  const pages = watch.plans.filter((plan) => plan.includes('(SubPlan') || /Limit/.test(plan))
  expect(pages.some((plan) => plan.includes(`Index Only Scan using products_by_`))).toBe(true)
  expect(scannedBy(watch.plans).filter((table) => LARGE.includes(table))).toEqual([])
})

test('a search of frequent words looks at the first products of the order alone', async () => {
  watch.plans.length = 0
  const { rows, total } = await listProducts(watch.deps, { deleted: 'exclude', search: 'number n' }, BY_ID)
  expect(rows).toHaveLength(BY_ID.perPage)
  expect(total).toEqual({ total: expect.any(Number), isEstimate: true })
  expect(watch.plans.filter((plan) => plan.includes('Scan on products_text') && !/count\(\*\)/.test(plan))).toEqual([])
})

test('a report as a file is read by a cursor, which a reader who leaves closes', async () => {
  const batches = reportedProducts.stream(watch.deps.db, {}, { by: 'open_count', direction: 'desc' })
  const first = await batches.next()
  expect(first.value).toHaveLength(1_000)
  await batches.return(undefined)
  const { rows } = await sql<{ n: number }>`select count(*) as n from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(service.deps.db)
  expect(rows[0]?.n).toBe(0)
})

async function reported(filter: Parameters<typeof reportedProducts.page>[1]['filter']): Promise<void> {
  await reportedProducts.page(watch.deps, { filter, page: { ...FIRST, by: 'open_count', direction: 'desc' } })
}

function queue(wanted: Parameters<typeof listQueue>[1] = {}, page: Partial<ProductPage> = {}) {
  return listQueue(watch.deps, wanted, { ...FIRST, by: 'submitted_at', direction: 'asc', ...page })
}

function list({ categories, ...wanted }: Partial<ProductQuery> & { categories?: number }) {
  const category = categories === undefined ? {} : { category: `c${categories}` }
  return listProducts(watch.deps, { deleted: 'exclude', ...wanted, ...category }, BY_ID)
}

async function decide(verdict: 'verified' | 'rejected') {
  const pending = service.deps.db.selectFrom('products').select('product_id').where('verification', '=', 'pending')
  const { product_id: recordId } = await pending.where('status', '=', 'active').limit(1).executeTakeFirstOrThrow()
  const words = { reasonCode: 'other', message: 'No' } as const
  const judged = { recordId, expected: undefined, revision: undefined, note: null }
  const decision = verdict === 'verified' ? { ...judged, verdict } : { ...judged, ...words, verdict }
  return inWork(watch.deps, actor, (work) => decideVerification(work, decision))
}

async function resolve(): Promise<void> {
  const report = service.deps.db.selectFrom('product_reports').select('report_id').where('product_id', 'in', [360, 440])
  const { report_id: recordId } = await report.where('status', '=', 'open').limit(1).executeTakeFirstOrThrow()
  const decision = { recordId, expected: undefined, verdict: 'remove_product', note: null } as const
  await inWork(watch.deps, actor, (work) => decideProductReport(work, decision))
}

/** Products of 20,000 owners over a year, a tenth of them reported by three, each decided on twice. */
async function fill({ db }: Deps): Promise<void> {
  await sql`insert into users (user_id, username, email, name, password_hash) overriding system value
    select n, 'u' || n, 'u' || n || '@example.com', 'U', '' from generate_series(1, 20000) n`.execute(db)
  // Built at once it takes a tenth of the time.
  const texts = await sql<{
    indexdef: string
  }>`select indexdef from pg_indexes where indexname = 'products_text'`.execute(db)
  await sql`drop index products_text`.execute(db)
  await sql`insert into categories (category_id, slug, name) overriding system value
    select n, 'c' || n, 'C' || n from generate_series(1, 50) n`.execute(db)
  await sql`
    insert into products (product_id, user_id, category_id, title, description, condition, estimated_value_cents, status,
      verification, submitted_at, created_at, updated_at, deleted_at) overriding system value
    select n, 1 + n % 20000, 1 + n % 50, md5(n::text), 'Number ' || n, 'good', case when n % 3 > 0 then n % 1000 end,
      (array['active', 'active', 'active', 'paused', 'swapped', 'draft'])[1 + n % 6],
      case when n % 40 = 0 then 'pending' when n % 41 = 0 then 'rejected' else 'verified' end, at, at, at,
      case when n % 1000 = 999 then at end
    from generate_series(1, ${PRODUCTS}::int) n cross join lateral (select timestamptz '2026-01-01' + n * interval '2 minutes' as at) t`.execute(
    db,
  )
  for (const { indexdef } of texts.rows) await sql.raw(indexdef).execute(db)
  await sql`update products set status = 'removed' where product_id % 2000 = 7`.execute(db)
  await sql`
    insert into product_reports (product_id, reporter_id, reason, status, created_at, updated_at)
    select n * 10, 1 + (n * 7 + who) % 20000, case when n % 500 = 0 then 'unsafe' else 'scam' end,
      (array['open', 'dismissed', 'actioned', 'in_review'])[1 + (n / 2 + who) % 4], at, at
    from generate_series(1, ${PRODUCTS}::int / 10) n, generate_series(1, 3) who
    cross join lateral (select timestamptz '2026-01-01' + n * interval '20 minutes' as at) t`.execute(db)
  await sql`
    insert into moderation_actions (product_id, action, revision, snapshot, created_at)
    select n, action, 1, '{}', now() from generate_series(1, ${PRODUCTS}::int) n, unnest(array['reject', 'verify']) action`.execute(
    db,
  )
  await sql`
    insert into state_changes (entity, entity_id, user_id, from_state, to_state, actor, at)
    select 'verification', n, 1 + n % 20000, 'pending', 'verified', 'administrator', now() from generate_series(1, ${PRODUCTS}::int) n`.execute(
    db,
  )
  await sql`
    insert into swaps (swap_id, requester_id, owner_id, status, expires_at, created_at, updated_at) overriding system value
    select n, 1 + n % 20000, 1 + (n + 7) % 20000, 'declined', now(), now(), now() from generate_series(1, ${PRODUCTS}::int / 2) n`.execute(
    db,
  )
  await sql`insert into swap_items (swap_id, product_id, side)
    select n, n * 2 - place, (array['offered', 'requested'])[1 + place] from generate_series(1, ${PRODUCTS}::int / 2) n,
      generate_series(0, 1) place`.execute(db)
  await sql`select setval(pg_get_serial_sequence('products', 'product_id'), ${PRODUCTS})`.execute(db)
  await sql`vacuum (analyze) users, products, product_reports, reported_products, moderation_actions, state_changes, swaps,
    swap_items`.execute(db)
}
