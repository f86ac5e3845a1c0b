import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectError, expectInvalid, type Answer } from '../../../test/support/faults.ts'
import { givenProduct } from '../../../test/support/marketplace.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import { givenCategory, givenReport } from '../../../test/support/product-reports.ts'
import type { Service } from '../../../test/support/service.ts'

type Listed = { data: { id: number }[]; pagination: Record<string, unknown> }

function toIds(answer: Answer): number[] {
  expect(answer.statusCode).toBe(200)
  return answer.json<Listed>().data.map((product) => product.id)
}

const at = (day: number) => new Date(Date.UTC(2026, 0, day))

/** Products of an owner of their own, so that tests do not see those of each other. */
async function givenThree({ deps, given }: Service) {
  const owner = await given.user({ name: 'Ada' })
  const parentId = await givenCategory(deps, { slug: `parent-${owner.userId}` })
  const categoryId = await givenCategory(deps, { slug: `child-${owner.userId}`, parentId })
  const wishes = [
    { title: 'Cello', description: 'Old wood', estimated_value_cents: 900, created_at: at(1), category_id: categoryId },
    { title: 'Amp', description: '100% loud', status: 'paused', created_at: at(2), condition: 'new' },
    { title: 'Banjo', description: 'a_b', verification: 'pending', estimated_value_cents: 0, created_at: at(3) },
  ] as const
  const ids: number[] = []
  for (const wish of wishes) ids.push(await givenProduct(deps, owner, wish))
  const [cello, amp, banjo] = ids as [number, number, number]
  return { owner, cello, amp, banjo, categoryId, parentId, of: `user_id=${owner.userId}` }
}

describe('GET /api/admin/v1/products', () => {
  test('gives products newest first, with owner and category, and a page at a time', async ({ service }) => {
    const panel = await givenPanel(service, 'moderator')
    const { cello, amp, banjo, of, owner } = await givenThree(service)
    const answer = await panel.get(`/products?${of}&per_page=2`)
    expect(toIds(answer)).toEqual([banjo, amp])
    expect(answer.json<Listed>().pagination).toEqual({
      current_page: 1,
      total_pages: 2,
      total_items: 3,
      per_page: 2,
    })
    expect(answer.json<Listed>().data[0]).toMatchObject({
      title: 'Banjo',
      status: 'active',
      verification: 'pending',
      owner: { id: owner.userId, name: 'Ada' },
      category: { slug: 'things' },
      open_reports: 0,
    })
    expect(toIds(await panel.get(`/products?${of}&per_page=2&page=2`))).toEqual([cello])
    expect(toIds(await panel.get(`/products?${of}&page=9`))).toEqual([])
  })

  test('sorts by each column; no estimated value comes before zero', async ({ service }) => {
    const panel = await givenPanel(service)
    const { cello, amp, banjo, of } = await givenThree(service)
    const sorted = async (by: string) => toIds(await panel.get(`/products?${of}&sort_by=${by}&sort_order=asc`))
    expect(await sorted('title')).toEqual([amp, banjo, cello])
    expect(await sorted('estimated_value_cents')).toEqual([amp, banjo, cello])
    expect(await sorted('status')).toEqual([cello, banjo, amp])
    for (const by of ['id', 'created_at', 'updated_at', 'submitted_at', 'verification'])
      expect(new Set(await sorted(by))).toEqual(new Set([cello, amp, banjo]))
    expect(toIds(await panel.get(`/products?${of}&sort_by=title`))).toEqual([cello, banjo, amp])
  })

  test('filters by each of its words, and by all at once', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const { cello, amp, banjo, of, categoryId, parentId, owner } = await givenThree(service)
    await givenReport(deps, { productId: amp, reporterId: (await given.user()).userId })
    await givenReport(deps, { productId: cello, reporterId: (await given.user()).userId, status: 'dismissed' })
    const gone = await givenProduct(deps, owner, { deleted_at: new Date() })
    const found = async (query: string) => toIds(await panel.get(`/products?${of}&${query}`))
    expect(await found('status=paused')).toEqual([amp])
    expect(await found('status=paused,active')).toEqual([banjo, amp, cello])
    expect(await found('verification=pending')).toEqual([banjo])
    expect(await found('condition=new')).toEqual([amp])
    expect(await found(`category=child-${owner.userId}`)).toEqual([cello])
    expect(await found(`category=${categoryId}`)).toEqual([cello])
    expect(await found(`category=${parentId}`)).toEqual([cello])
    expect(await found('has_open_reports=true')).toEqual([amp])
    expect(await found('has_open_reports=false')).toEqual([banjo, cello])
    expect(await found('deleted=only')).toEqual([gone])
    expect(await found('deleted=include')).toEqual([gone, banjo, amp, cello])
    expect(await found('start_date=2026-01-02&end_date=2026-01-02')).toEqual([amp])
    expect(await found('status=active&verification=pending&search=banjo&condition=good')).toEqual([banjo])
  })

  test.for([
    ['in the title, in any case', 'cELL', ['cello']],
    ['in the description', 'old wood', ['cello']],
    ['with a percent sign that is one', '100% l', ['amp']],
    ['with a percent sign that is nowhere', 'C%o', []],
    ['with an underscore that is one', 'a_b', ['banjo']],
    ['with an underscore that is nowhere', 'C_llo', []],
    ['with a backslash', String.raw`a\_b`, []],
    ['that is SQL', `' or 1=1 --`, []],
    ['of two letters that begin a word', 'am', ['amp']],
    ['of two letters within a word', 'mp', ['amp']],
    ['of one letter', 'j', ['banjo']],
    ['across title and description', 'old cello', ['cello']],
    ['of which a word is nowhere', 'old banjo', []],
    ['of no letter at all', '%', ['amp']],
  ] as [string, string, ('cello' | 'amp' | 'banjo')[]][])('finds text %s', async ([, search, names], { service }) => {
    const panel = await givenPanel(service)
    const three = await givenThree(service)
    const found = toIds(await panel.get(`/products?${three.of}&search=${encodeURIComponent(search)}`))
    expect(found).toEqual(names.map((name) => three[name]))
  })

  test.for([
    ['status', 'sold'],
    ['status', 'active,'],
    ['verification', `pending' or 1=1`],
    ['condition', 'broken'],
    ['user_id', '0'],
    ['user_id', 'abc'],
    ['category', 'no-such-category'],
    ['category', '999999999999999'],
    ['has_open_reports', '1'],
    ['deleted', 'yes'],
    ['sort_by', 'password_hash'],
    ['sort_by', 'title;drop table products'],
    ['sort_order', 'up'],
    ['search', 'x'.repeat(201)],
    ['start_date', '2026-02-30'],
    ['timezone', 'Mars/Base'],
    ['page', '0'],
    ['per_page', '-1'],
  ])('refuses a %s of "%s"', async ([field, value], { service }) => {
    const panel = await givenPanel(service)
    expectInvalid(await panel.get(`/products?${field}=${encodeURIComponent(value!)}`), field!)
  })
})

describe('GET /api/admin/v1/products/:id', () => {
  test('shows every field for administrators, with its version', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const owner = await given.user()
    const reporter = await given.user()
    const id = await givenProduct(deps, owner, { verification: 'pending', images: '["https://example.com/1.jpg"]' })
    const reportId = await givenReport(deps, { productId: id, reporterId: reporter.userId, reason: 'unsafe' })
    await panel.post(`/mark-product-verified/${id}`, { note: 'Looks fine.' })
    const answer = await panel.get(`/products/${id}`)
    expect(answer.headers['etag']).toBe('"v2"')
    expect(answer.json()).toMatchObject({
      data: {
        id,
        version: 2,
        images: ['https://example.com/1.jpg'],
        owner: { id: owner.userId, status: 'active' },
        open_reports: 1,
        reports: [{ id: reportId, reason: 'unsafe', reporter: { user_id: reporter.userId } }],
        swaps: { total: 0, open: 0 },
        moderation: [{ action: 'verify', note: 'Looks fine.', by: { user_id: panel.user.userId }, revision: 1 }],
        history: { status: [], verification: [{ from: 'pending', to: 'verified', actor: 'administrator' }] },
      },
    })
  })

  test('of a deleted one is 404, unless it is asked for', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const id = await givenProduct(deps, await given.user(), { deleted_at: new Date() })
    expectError(await panel.get(`/products/${id}`), 404, 'NOT_FOUND')
    expect((await panel.get(`/products/${id}?deleted=include`)).json()).toMatchObject({ data: { id } })
  })

  test.for(['0', '-1', 'abc', '9007199254740993', '1%27%20or%201=1'])(
    'refuses an id of %s',
    async (id, { service }) => {
      expectInvalid(await (await givenPanel(service)).get(`/products/${id}`), 'id')
    },
  )

  test('of none is 404', async ({ service }) => {
    expectError(await (await givenPanel(service)).get('/products/999999999'), 404, 'NOT_FOUND')
  })
})
