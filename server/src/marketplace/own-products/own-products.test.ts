import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenCaller, walk, type AppCaller } from '../../../test/support/app-caller.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import { automaticMessages, givenProduct, givenProposal, swapStatus } from '../../../test/support/marketplace.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import { givenCategory } from '../../../test/support/product-reports.ts'
import type { Service } from '../../../test/support/service.ts'

type Details = {
  id: number
  title: string
  status: string
  version: number
  is_verified: boolean
  images: string[]
  own: { verification: string; is_listed: boolean; seen_by_others: { title: string } | null; last_decision: unknown }
}

const IMAGES = ['https://images.example/1.jpg', 'https://images.example/2.jpg']

async function given(service: Service, more: object = {}): Promise<{ owner: AppCaller; product: Details }> {
  const owner = await givenCaller(service)
  return { owner, product: await create(service, owner, more) }
}

async function create(service: Service, owner: AppCaller, more: object = {}): Promise<Details> {
  const categoryId = await givenCategory(service.deps)
  const fields = { title: 'Oak table', description: 'It has\nfour legs.', category_id: categoryId, condition: 'good' }
  return owner.data('POST', '/products', { ...fields, images: IMAGES, city: 'Ulm', submit: true, ...more })
}

describe('an owner', () => {
  test('stores a product as a draft that nobody else sees, and lists it', async ({ service }) => {
    const { owner, product } = await given(service, { submit: false })
    expect(product).toMatchObject({
      status: 'draft',
      images: IMAGES,
      own: { verification: 'pending', is_listed: false },
    })
    const other = await givenCaller(service)
    expectError(await other.call('GET', `/products/${product.id}`), 404, 'NOT_FOUND')
    const listed = await owner.call('POST', `/products/${product.id}/submit`)
    expect(listed.json()).toMatchObject({ data: { status: 'active', own: { is_listed: true } } })
    expect(listed.headers['etag']).toBe(`"v${listed.json<{ data: Details }>().data.version}"`)
    expect(await other.data('GET', `/products/${product.id}`)).toMatchObject({
      id: product.id,
      is_verified: false,
      not_swappable_because: null,
      own: null,
      owner: { id: owner.userId },
    })
    expectError(await owner.call('POST', `/products/${product.id}/submit`), 409, 'INVALID_STATE')
  })

  test('sends a product again with its Idempotency-Key, and has one', async ({ service }) => {
    const owner = await givenCaller(service)
    const category_id = await givenCategory(service.deps)
    const body = { title: 'A', description: 'B', category_id, condition: 'new' }
    const ids = []
    for (let time = 0; time < 2; time++) {
      const answer = await owner.call('POST', '/products', body, { 'idempotency-key': 'one' })
      expect(answer.statusCode).toBe(201)
      ids.push(answer.json<{ data: Details }>().data.id)
    }
    expect(ids[0]).toBe(ids[1])
    expect(await walk(owner, '/me/products')).toHaveLength(1)
  })

  test('edits a verified product: others see the verified revision until the edit is verified', async ({ service }) => {
    const { owner, product } = await given(service, { title: 'Walnut dresser' })
    const panel = await givenPanel(service)
    const other = await givenCaller(service)
    await panel.post(`/mark-product-verified/${product.id}`)
    const bicycles = await givenCategory(service.deps)
    const edited = await owner.data<Details>('PATCH', `/products/${product.id}`, {
      title: 'Chestnut bicycle',
      category_id: bicycles,
    })
    expect(edited).toMatchObject({
      title: 'Chestnut bicycle',
      is_verified: false,
      own: { verification: 'pending', is_listed: true, seen_by_others: { title: 'Walnut dresser', revision: 1 } },
    })
    const seen = () => other.data('GET', `/products/${product.id}`)
    const found = async (search: string) => (await walk<{ id: number }>(other, `/products?search=${search}`)).length
    const counted = async () =>
      (await other.data<{ id: number; products: number }[]>('GET', '/categories')).find(({ id }) => id === bicycles)
        ?.products
    expect(await seen()).toMatchObject({ title: 'Walnut dresser', is_verified: true })
    expect([await found('walnut dress'), await found('chestnut'), await counted()]).toEqual([1, 0, 0])
    const queue = await panel.get('/add-product-verification?per_page=100')
    expect(queue.json<{ data: { id: number }[] }>().data.find(({ id }) => id === product.id)).toMatchObject({
      title: 'Chestnut bicycle',
      changed_fields: ['title', 'category_id'],
      last_verified: { title: 'Walnut dresser' },
    })
    // A second edit keeps the verified revision.
    await owner.data('PATCH', `/products/${product.id}`, { title: 'Chestnut tricycle' })
    expect(await seen()).toMatchObject({ title: 'Walnut dresser' })
    await panel.post(`/mark-product-verified/${product.id}`)
    expect(await seen()).toMatchObject({ title: 'Chestnut tricycle', is_verified: true })
    expect([await found('walnut dress'), await found('chestnut'), await counted()]).toEqual([0, 1, 1])
    expect((await owner.data<Details>('GET', `/products/${product.id}`)).own.seen_by_others).toBeNull()
  })

  test('does not show again what was rejected by submitting it once more, only by a new verdict', async ({
    service,
  }) => {
    const { owner, product } = await given(service)
    const panel = await givenPanel(service)
    const other = await givenCaller(service)
    await panel.post(`/mark-product-verified/${product.id}`)
    await owner.data('PATCH', `/products/${product.id}`, { title: 'Something else' })
    await panel.post(`/reject-product/${product.id}`, { reason_code: 'misleading', message: 'It is no table.' })
    const status = async () => (await other.call('GET', `/products/${product.id}`)).statusCode
    expect(await status()).toBe(404)
    expect((await owner.data<Details>('GET', `/products/${product.id}`)).own).toMatchObject({
      verification: 'rejected',
      is_listed: false,
      seen_by_others: null,
      last_decision: { action: 'reject', reason_code: 'misleading', message: 'It is no table.' },
    })
    await owner.data('POST', `/products/${product.id}/submit`)
    expect(await status()).toBe(404)
    expectError(await other.call('PUT', `/products/${product.id}/like`), 404, 'NOT_FOUND')
    await panel.post(`/mark-product-verified/${product.id}`)
    expect(await status()).toBe(200)
  })

  test('gets 412 with the present product when it has another version', async ({ service }) => {
    const { owner, product } = await given(service)
    const path = `/products/${product.id}`
    const stale = { 'if-match': '"v99"' }
    for (const [method, to, body] of [
      ['PATCH', path, { title: 'Other' }],
      ['POST', `${path}/pause`],
      ['DELETE', path],
    ] as const) {
      const answer = await owner.call(method, to, body, stale)
      expectError(answer, 412, 'STALE_VERSION')
      expect(answer.json()).toMatchObject({ data: { id: product.id, version: product.version } })
    }
    const right = await owner.call('PATCH', path, { title: 'Other' }, { 'if-match': `"v${product.version}"` })
    expect(right.json()).toMatchObject({ data: { title: 'Other', version: product.version + 1 } })
  })

  test('pauses and resumes', async ({ service }) => {
    const { owner, product } = await given(service)
    const path = `/products/${product.id}`
    const other = await givenCaller(service)
    expect(await owner.data('POST', `${path}/pause`)).toMatchObject({ status: 'paused', own: { is_listed: false } })
    expect(await other.data('GET', path)).toMatchObject({ status: 'paused', not_swappable_because: 'paused' })
    expectError(await owner.call('POST', `${path}/pause`), 409, 'INVALID_STATE')
    expect(await owner.data('POST', `${path}/resume`)).toMatchObject({ status: 'active', own: { is_listed: true } })
  })

  test('deletes a product: its proposals are closed and their other sides notified; not while it is promised', async ({
    service,
  }) => {
    const { deps, app } = service
    const { requester, owner, requested, swapId } = await givenProposal(service)
    const url = `/api/v1/products/${requested}`
    const asked = await app.inject({ method: 'GET', url, headers: requester.headers })
    expect(asked.json()).toMatchObject({
      data: {
        not_swappable_because: 'requested_already',
        my_open_swaps: [{ transaction_id: swapId, is_my_turn: false }],
      },
    })
    await deps.db.updateTable('products').set({ status: 'reserved' }).where('product_id', '=', requested).execute()
    const remove = () => app.inject({ method: 'DELETE', url, headers: owner.headers })
    expectError(await remove(), 409, 'INVALID_STATE')
    await deps.db.updateTable('products').set({ status: 'active' }).where('product_id', '=', requested).execute()
    expect((await remove()).json()).toMatchObject({ data: { id: requested } })
    expect(await swapStatus(deps, swapId)).toBe('invalidated')
    const told = await automaticMessages(deps)
    expect(told.at(-1)).toMatchObject({ to: [requester.userId], data: { event: 'swap_status', status: 'invalidated' } })
    expectError(await remove(), 404, 'NOT_FOUND')
    expect((await app.inject({ method: 'GET', url, headers: owner.headers })).statusCode).toBe(404)
  })

  test('lists the own products by cursor, of one status or all', async ({ service, deps }) => {
    const owner = await givenCaller(service)
    const ids = []
    for (let n = 0; n < 5; n++) ids.unshift(await givenProduct(deps, owner, n === 2 ? { status: 'paused' } : {}))
    await givenProduct(deps, owner, { deleted_at: new Date() })
    const rows = await walk<{ id: number; waiting_requests: number }>(owner, '/me/products?limit=2')
    expect(rows.map(({ id }) => id)).toEqual(ids)
    expect(await walk(owner, '/me/products?status=paused')).toMatchObject([{ id: ids[2], is_listed: false }])
    expectInvalid(await owner.call('GET', '/me/products?cursor=bm90'), 'cursor')
    expectInvalid(await owner.call('GET', '/me/products?status=lost'), 'status')
  })
})

describe('a product', () => {
  test.for([
    ['title', { title: 'two\nlines' }],
    ['title', { title: 'x'.repeat(201) }],
    ['description', { description: ' ' }],
    ['category_id', { category_id: 999_999_999 }],
    ['condition', { condition: 'broken' }],
    ['images.0', { images: ['http://images.example/1.jpg'] }],
    ['images', { images: Array.from({ length: 11 }, (_, n) => `https://images.example/${n}.jpg`) }],
    ['estimated_value_cents', { estimated_value_cents: -1 }],
    ['wants', { wants: 'x'.repeat(501) }],
    ['status', { status: 'swapped' }],
    ['verification', { verification: 'verified' }],
  ] as [string, object][])(
    'with a wrong %s is refused, new or edited, and nothing is stored (%#)',
    async ([field, wrong], { service }) => {
      const { owner, product } = await given(service)
      const category_id = await givenCategory(service.deps)
      const right = { title: 'A', description: 'B', category_id, condition: 'new' }
      expectInvalid(await owner.call('POST', '/products', { ...right, ...wrong }), field)
      expectInvalid(await owner.call('PATCH', `/products/${product.id}`, wrong), field)
      expect(await walk(owner, '/me/products')).toMatchObject([{ id: product.id, version: product.version }])
    },
  )

  test('of another person cannot be changed, and answers 404', async ({ service }) => {
    const { product } = await given(service)
    const stranger = await givenCaller(service)
    const path = `/products/${product.id}`
    for (const [method, to, body] of [
      ['PATCH', path, { title: 'Mine' }],
      ['DELETE', path],
      ['POST', `${path}/submit`],
      ['POST', `${path}/pause`],
      ['POST', `${path}/resume`],
    ] as const)
      expectError(await stranger.call(method, to, body), 404, 'NOT_FOUND')
  })
})
