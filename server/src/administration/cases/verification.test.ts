import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { badTexts, expectError, expectInvalid } from '../../../test/support/faults.ts'
import { givenProduct } from '../../../test/support/marketplace.ts'
import { toAudit, toDecisions, toEvents, toProduct, toldTo } from '../../../test/support/moderation.ts'
import { givenPanel, tally } from '../../../test/support/panel.ts'
import { givenCategory, givenReport } from '../../../test/support/product-reports.ts'
import { editOwnProduct } from '../../marketplace/own-products/own-products.ts'
import { commitAs } from '../../../test/support/commit.ts'

const VERDICT = { reason_code: 'unclear_photos', message: 'Please take photos by daylight.' }

describe('GET /api/admin/v1/add-product-verification', () => {
  test('lists what waits, the longest waiting first, and for how long', async ({ service, deps, given, clock }) => {
    const panel = await givenPanel(service, 'moderator')
    const owner = await given.user()
    const ago = (seconds: number) => new Date(clock.now() - seconds * 1_000)
    const pending = { verification: 'pending' } as const
    const second = await givenProduct(deps, owner, { ...pending, submitted_at: ago(90), status: 'paused' })
    const first = await givenProduct(deps, owner, { ...pending, submitted_at: ago(7_200), status: 'reserved' })
    for (const wish of [
      { verification: 'verified' },
      { ...pending, status: 'draft' },
      { ...pending, status: 'removed' },
      { ...pending, status: 'swapped' },
      { ...pending, deleted_at: new Date() },
      { ...pending, hidden_at: new Date() },
    ] as const)
      await givenProduct(deps, owner, wish)
    await givenReport(deps, { productId: first, reporterId: (await given.user()).userId })
    const answer = await panel.get('/add-product-verification')
    expect(answer.json()).toMatchObject({
      data: [
        {
          id: first,
          waiting_seconds: 7_200,
          open_reports: 1,
          previous_decision: null,
          changed_fields: [],
          last_verified: null,
        },
        { id: second, waiting_seconds: 90, open_reports: 0 },
      ],
      pagination: { total_items: 2 },
    })
    expect((await panel.get('/add-product-verification?page=2&per_page=1')).json()).toMatchObject({
      data: [{ id: second }],
    })
    expectInvalid(await panel.get('/add-product-verification?page=0'), 'page')
  })

  test('can be searched, narrowed and sorted', async ({ service, deps, given, clock }) => {
    const panel = await givenPanel(service, 'moderator')
    const owner = await given.user()
    const ago = (days: number) => new Date(clock.now() - days * 86_400_000)
    const slug = `queue-${owner.userId}`
    const categoryId = await givenCategory(deps, { slug })
    const lamp = { verification: 'pending', title: 'Lamp', description: 'Old brass' } as const
    const older = await givenProduct(deps, owner, { ...lamp, submitted_at: ago(9), category_id: categoryId })
    const newer = await givenProduct(deps, owner, { ...lamp, title: 'A lamp', condition: 'new', submitted_at: ago(3) })
    await givenProduct(deps, owner, { ...lamp, verification: 'verified' })
    const found = async (query: string) => {
      const answer = await panel.get(`/add-product-verification?user_id=${owner.userId}&${query}`)
      const { data, pagination } = answer.json<{ data: { id: number }[]; pagination: { total_items: number } }>()
      expect(pagination.total_items).toBe(data.length)
      return data.map(({ id }) => id)
    }
    expect(await found('')).toEqual([older, newer])
    expect(await found('sort_order=desc')).toEqual([newer, older])
    expect(await found('sort_by=title')).toEqual([newer, older])
    expect(await found('search=brass')).toEqual([older, newer])
    expect(await found('search=am')).toEqual([older, newer])
    expect(await found('search=lamp old')).toEqual([older, newer])
    expect(await found('search=lamp new')).toEqual([])
    expect(await found('search=A lamp')).toEqual([newer])
    expect(await found(`category=${slug}`)).toEqual([older])
    expect(await found('condition=new')).toEqual([newer])
    expect(await found(`start_date=${ago(4).toISOString()}`)).toEqual([newer])
    expect(await found(`end_date=${ago(4).toISOString()}&sort_order=desc`)).toEqual([older])
    expectInvalid(await panel.get('/add-product-verification?category=none'), 'category')
    expectInvalid(await panel.get('/add-product-verification?sort_by=password'), 'sort_by')
  })
})

describe('POST /api/admin/v1/mark-product-verified/:id', () => {
  test('verifies a product: decision, event, audit and the owner’s push; repeating is harmless', async ({
    service,
    deps,
    given,
    clock,
  }) => {
    const panel = await givenPanel(service, 'moderator')
    const owner = await given.user()
    const id = await givenProduct(deps, owner, { verification: 'pending' })
    const answer = await panel.post(`/mark-product-verified/${id}`, { note: 'Fine' }, { 'if-match': '"v1"' })
    expect(answer.headers['etag']).toBe('"v2"')
    expect(answer.json()).toMatchObject({ data: { id, verification: 'verified', verified_by: panel.user.userId } })
    expect(await toProduct(service, id)).toMatchObject({ verified_at: new Date(clock.now()) })
    expect(await toDecisions(service, id)).toMatchObject([
      { action: 'verify', internal_note: 'Fine', revision: 1, snapshot: { title: 'A thing' } },
    ])
    const again = await panel.post(`/mark-product-verified/${id}`, {}, { 'if-match': '"v1"' })
    expect(again.statusCode).toBe(200)
    expect(again.headers['etag']).toBe('"v2"')
    expect(await toDecisions(service, id)).toHaveLength(1)
    expect(await toEvents(service, id)).toMatchObject([{ from_state: 'pending', to_state: 'verified' }])
    expect(await toAudit(service, id)).toEqual([{ action: 'product.verify' }])
    expect(await toldTo(service, owner.userId)).toMatchObject([
      { type: 'non_promotional', sender_id: null, data: { event: 'system', product_id: id, verification: 'verified' } },
    ])
  })

  test.for(['swapped', 'removed', 'draft'] as const)(
    'of what is %s is 409',
    async (status, { service, deps, given }) => {
      const panel = await givenPanel(service)
      const id = await givenProduct(deps, await given.user(), { status, verification: 'pending' })
      for (const [path, body] of [
        ['mark-product-verified', {}],
        ['reject-product', VERDICT],
      ] as const)
        expectError(await panel.post(`/${path}/${id}`, body), 409, 'INVALID_STATE')
      expect(await toProduct(service, id)).toMatchObject({ verification: 'pending', version: 1 })
    },
  )

  test('of a deleted one, or of none, is 404', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const gone = await givenProduct(deps, await given.user(), { deleted_at: new Date(), verification: 'pending' })
    for (const id of [gone, 999_999_999]) {
      expectError(await panel.post(`/mark-product-verified/${id}`), 404, 'NOT_FOUND')
      expectError(await panel.post(`/reject-product/${id}`, VERDICT), 404, 'NOT_FOUND')
    }
  })

  test('never verifies what the moderator has not seen', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const owner = await given.user()
    const productId = await givenProduct(deps, owner, { verification: 'pending' })
    await commitAs(owner, deps, editOwnProduct, { productId, edit: { title: 'Something else' } })
    const url = `/mark-product-verified/${productId}`
    for (const stale of [await panel.post(url, {}, { 'if-match': '"v1"' }), await panel.post(url, { revision: 1 })]) {
      expectError(stale, 412, 'STALE_VERSION')
      expect(stale.json()).toMatchObject({ data: { id: productId, title: 'Something else', version: 2, revision: 2 } })
    }
    expect((await panel.post(url, { revision: 2 }, { 'if-match': '"v2"' })).statusCode).toBe(200)
  })

  test('fifty times at once decides once', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const id = await givenProduct(deps, await given.user(), { verification: 'pending' })
    const answers = await Promise.all(Array.from({ length: 50 }, () => panel.post(`/mark-product-verified/${id}`)))
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]))
    expect(await toDecisions(service, id)).toHaveLength(1)
  })

  test('and rejected fifty times at once, of one version: one wins', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const id = await givenProduct(deps, await given.user(), { verification: 'changes_requested' })
    const seen = { 'if-match': '"v1"' }
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        n % 2 === 0
          ? panel.post(`/mark-product-verified/${id}`, {}, seen)
          : panel.post(`/reject-product/${id}`, VERDICT, seen),
      ),
    )
    const { verification } = await toProduct(service, id)
    // To verify what another has just verified is harmless, so all those are answered alike.
    expect(tally(answers)).toEqual(verification === 'verified' ? { 200: 25, 412: 25 } : { 200: 1, 412: 49 })
    expect(await toDecisions(service, id)).toHaveLength(1)
    expect(await toEvents(service, id)).toHaveLength(1)
  })

  test('is one decision for one Idempotency-Key', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const id = await givenProduct(deps, await given.user(), { verification: 'pending' })
    const key = { 'idempotency-key': `reject ${id}` }
    const first = await panel.post(`/reject-product/${id}`, VERDICT, key)
    const second = await panel.post(`/reject-product/${id}`, VERDICT, key)
    expect(second.statusCode).toBe(200)
    expect(second.json()).toEqual(first.json())
    expect(await toDecisions(service, id)).toHaveLength(1)
  })

  test.for<[string, string, unknown]>([
    ...badTexts(1_000)
      .slice(1)
      .map(([what, value]): [string, string, unknown] => ['note', what, value]),
    ['revision', 'zero', 0],
    ['revision', 'a text', '1'],
    ['verified_at', 'not a field', null],
  ])('refuses a body whose %s is %s', async ([field, , value], { service }) => {
    expectInvalid(await (await givenPanel(service)).post('/mark-product-verified/1', { [field]: value }), field)
  })
})
