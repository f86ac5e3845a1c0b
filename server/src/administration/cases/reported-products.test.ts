import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import { givenProduct } from '../../../test/support/marketplace.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import { givenReport } from '../../../test/support/product-reports.ts'
import type { Service } from '../../../test/support/service.ts'

const ALL = '/report/reported-product/all'

const at = (day: number) => new Date(Date.UTC(2026, 2, day))

/** Three reported products, found by a word of their own in the title. */
async function givenDesk({ deps, given }: Service) {
  const owner = await given.user()
  const word = `w${owner.userId}x`
  const [busy, reviewed, done] = [
    await givenProduct(deps, owner, { title: `${word} "busy", =SUM(A1)` }),
    await givenProduct(deps, owner, { title: `=${word}` }),
    await givenProduct(deps, owner, { title: `done ${word}` }),
  ]
  const reporters = await Promise.all([0, 1, 2, 3].map(() => given.user()))
  const report = (
    productId: number,
    who: number,
    wish: { reason?: 'scam' | 'unsafe'; status?: 'in_review' | 'dismissed'; at: Date },
  ) => givenReport(deps, { productId, reporterId: reporters[who]!.userId, ...wish })
  for (const who of [0, 1, 2]) await report(busy, who, { at: at(1 + who) })
  await report(busy, 3, { at: at(4), status: 'dismissed', reason: 'unsafe' })
  await report(reviewed, 0, { at: at(10), status: 'in_review', reason: 'unsafe' })
  await report(done, 0, { at: at(20), status: 'dismissed' })
  return { busy, reviewed, done, search: `search=${word}`, reporters, word }
}

describe('GET /api/admin/v1/report/reported-product/all', () => {
  test('gives one row a product, most open reports first', async ({ service }) => {
    const panel = await givenPanel(service, 'moderator')
    const { busy, reviewed, done, search, reporters } = await givenDesk(service)
    const answer = await panel.get(`${ALL}?${search}`)
    expect(answer.json()).toMatchObject({
      data: [
        {
          product_id: busy,
          status: 'open',
          open_count: 3,
          in_review_count: 0,
          actioned_count: 0,
          dismissed_count: 1,
          undecided_count: 3,
          total_count: 4,
          reasons: { scam: 3, unsafe: 1 },
          first_reported_at: '2026-03-01T00:00:00.000Z',
          last_reported_at: '2026-03-04T00:00:00.000Z',
          product: { id: busy, status: 'active', verification: 'verified' },
          reporters_sample: [3, 2, 1].map((n) => ({ user_id: reporters[n]!.userId })),
        },
        {
          product_id: reviewed,
          status: 'in_review',
          open_count: 0,
          in_review_count: 1,
          undecided_count: 1,
          total_count: 1,
        },
        { product_id: done, status: 'dismissed', open_count: 0, total_count: 1 },
      ],
      pagination: { total_items: 3 },
    })
  })

  test('filters, sorts and pages', async ({ service }) => {
    const panel = await givenPanel(service)
    const { busy, reviewed, done, search } = await givenDesk(service)
    const found = async (query: string) => {
      const answer = await panel.get(`${ALL}?${search}&${query}`)
      expect(answer.statusCode).toBe(200)
      return answer.json<{ data: { product_id: number }[] }>().data.map((row) => row.product_id)
    }
    expect(await found('status=open')).toEqual([busy])
    expect(await found('status=in_review,dismissed')).toEqual([reviewed, done])
    expect(await found('reason=unsafe')).toEqual([busy, reviewed])
    expect(await found('start_date=2026-03-04&end_date=2026-03-10')).toEqual([busy, reviewed])
    expect(await found('reason=scam&start_date=2026-03-04')).toEqual([done])
    expect(await found('sort_by=last_reported_at')).toEqual([done, reviewed, busy])
    expect(await found('sort_by=first_reported_at&sort_order=asc')).toEqual([busy, reviewed, done])
    expect(await found('sort_by=total_count&per_page=1')).toEqual([busy])
    expect(await found('per_page=2&page=2')).toEqual([done])
    expect(await found('sort_by=undecided_count&sort_order=asc')).toEqual([done, reviewed, busy])
  })

  test.for([
    ['status', 'closed'],
    ['reason', `scam' or '1'='1`],
    ['sort_by', 'product_id; drop table products'],
    ['format', 'pdf'],
    ['bom', '1'],
    ['end_date', 'tomorrow'],
  ])('refuses a %s of "%s"', async ([field, value], { service }) => {
    expectInvalid(await (await givenPanel(service)).get(`${ALL}?${field}=${encodeURIComponent(value!)}`), field!)
  })

  test('is also a file: all rows, quoted, harmless to spreadsheets, and in the audit log', async ({
    service,
    deps,
  }) => {
    const panel = await givenPanel(service)
    const { busy, reviewed, search, word } = await givenDesk(service)
    const answer = await panel.get(`${ALL}?${search}&format=csv&bom=true`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="reported-products.csv"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    const lines = answer.body.split('\n')
    expect(lines[0]).toMatch(/^\u{FEFF}product_id,product_title,product_status,/u)
    expect(lines[1]).toMatch(new RegExp(`^${busy},"${word} ""busy"", =SUM\\(A1\\)",active,verified,`))
    const numbers = 'open,3,0,0,1,3,4,"scam: 3; unsafe: 1"'
    expect(lines[1]).toContain(`,${numbers},2026-03-01T00:00:00.000Z,2026-03-04T00:00:00.000Z,`)
    expect(lines[2]).toMatch(new RegExp(`^${reviewed},'=${word},`))
    expect(lines).toHaveLength(5)
    expect(lines[4]).toBe('')
    const exports = deps.db.selectFrom('audit_log').selectAll().where('action', '=', 'reported-products.export')
    expect(await exports.where('actor_id', '=', panel.user.userId).execute()).toHaveLength(1)
  })

  test('is not for analysts', async ({ service }) => {
    expectError(await (await givenPanel(service, 'analyst')).get(ALL), 403, 'FORBIDDEN')
  })
})

describe('GET /api/admin/v1/report/reported-product/:product_id', () => {
  test('lists the reports of one product, newest first, of the statuses asked for', async ({ service }) => {
    const panel = await givenPanel(service)
    const { busy, reporters } = await givenDesk(service)
    const answer = await panel.get(`/report/reported-product/${busy}?per_page=2`)
    expect(answer.json()).toMatchObject({
      data: [
        { status: 'dismissed', reason: 'unsafe', reporter: { user_id: reporters[3]!.userId } },
        { status: 'open', reason: 'scam', version: 1 },
      ],
      pagination: { total_items: 4 },
    })
    const open = await panel.get(`/report/reported-product/${busy}?status=open`)
    expect(open.json()).toMatchObject({ pagination: { total_items: 3 } })
    const found = async (query: string) => {
      const page = await panel.get(`/report/reported-product/${busy}?${query}`)
      const { data, pagination } = page.json<{ data: { created_at: string }[]; pagination: { total_items: number } }>()
      expect(pagination.total_items).toBe(data.length)
      return data.map((report) => Number(report.created_at.slice(8, 10)))
    }
    expect(await found('sort_order=asc')).toEqual([1, 2, 3, 4])
    expect(await found('reason=scam')).toEqual([3, 2, 1])
    expect(await found('start_date=2026-03-02&end_date=2026-03-03')).toEqual([3, 2])
    const { username } = await service.deps.db
      .selectFrom('users')
      .select('username')
      .where('user_id', '=', reporters[1]!.userId)
      .executeTakeFirstOrThrow()
    expect(await found(`search=${username}`)).toEqual([2])
    expect(await found('search=%25')).toEqual([])
    expectInvalid(await panel.get(`/report/reported-product/${busy}?reason=x`), 'reason')
    expectInvalid(await panel.get(`/report/reported-product/${busy}?status=x`), 'status')
    expect((await panel.get('/report/reported-product/999999999')).json()).toMatchObject({ data: [] })
  })
})

describe('the sums of reported products', () => {
  test('are those of the reports, whatever happens to them', async ({ service, deps }) => {
    const { busy, done, reviewed } = await givenDesk(service)
    const reports = deps.db.deleteFrom('product_reports')
    await reports.where('product_id', '=', busy).where('reason', '=', 'unsafe').execute()
    await reports.where('product_id', '=', done).execute()
    await deps.db.deleteFrom('products').where('product_id', '=', reviewed).execute()
    const sums = deps.db.selectFrom('reported_products').selectAll().where('product_id', 'in', [busy, done, reviewed])
    expect(await sums.execute()).toMatchObject([
      { product_id: busy, open_count: 3, dismissed_count: 0, total_count: 3, last_reported_at: new Date('2026-03-03') },
    ])
  })
})
