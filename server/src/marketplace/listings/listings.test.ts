import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenCaller, walk } from '../../../test/support/app-caller.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import { givenProduct, givenProposal } from '../../../test/support/marketplace.ts'
import { givenCategory } from '../../../test/support/product-reports.ts'

type Row = { id: number; like_count: number }
const toIds = (rows: Row[]) => rows.map(({ id }) => id)

describe('the market', () => {
  test('shows what others offer, newest first, with all that a list shows', async ({ service, deps }) => {
    const [viewer, owner] = [await givenCaller(service), await givenCaller(service)]
    const city = 'Market town'
    const own = await givenProduct(deps, viewer, { city })
    const first = await givenProduct(deps, owner, { city, images: '["https://images.example/1.jpg"]' })
    const second = await givenProduct(deps, owner, { city: ' market TOWN', verification: 'pending' })
    for (const hidden of [
      { status: 'draft' },
      { status: 'paused' },
      { status: 'reserved' },
      { verification: 'rejected' },
      { deleted_at: new Date() },
      { hidden_at: new Date() },
    ] as const)
      await givenProduct(deps, owner, { city, ...hidden })
    await viewer.data('PUT', `/products/${first}/like`)
    const rows = await walk<Row>(viewer, '/products?city=Market%20Town&limit=1')
    expect(rows).toMatchObject([
      { id: second, image: null, is_verified: false, like_count: 0, liked_by_me: false },
      {
        id: first,
        image: 'https://images.example/1.jpg',
        is_verified: true,
        like_count: 1,
        liked_by_me: true,
        owner: { id: owner.userId, name: owner.name, avatar_url: null, city: null },
      },
    ])
    expect(JSON.stringify(rows)).not.toContain(owner.email)
    expect(toIds(await walk<Row>(owner, '/products?city=market%20town'))).toEqual([own])
  })

  test('lists a product once it is listed first, at the top, and keeps its place', async ({ service, deps }) => {
    const [viewer, owner] = [await givenCaller(service), await givenCaller(service)]
    const city = 'Place town'
    const draft = await givenProduct(deps, owner, { city, status: 'draft' })
    const other = await givenProduct(deps, owner, { city })
    const listed = async () => toIds(await walk<Row>(viewer, '/products?city=place%20town'))
    expect(await listed()).toEqual([other])
    await owner.data('POST', `/products/${draft}/submit`)
    expect(await listed()).toEqual([draft, other])
    await owner.data('POST', `/products/${other}/pause`)
    await owner.data('POST', `/products/${other}/resume`)
    expect(await listed()).toEqual([draft, other])
  })

  test('is found by words, category with those below it, city, condition, and sorted by likes', async ({
    service,
    deps,
  }) => {
    const [viewer, fan, owner] = [await givenCaller(service), await givenCaller(service), await givenCaller(service)]
    const root = await givenCategory(deps, { slug: 'vehicles' })
    const leaf = await givenCategory(deps, { slug: 'unicycles', parentId: root })
    const make = (title: string, more = {}) =>
      givenProduct(deps, owner, { title, city: 'Ghent', category_id: leaf, ...more })
    const red = await make('Red Unicycle', { description: 'With a TV in front' })
    const green = await make('Grünes Einrad, unicycles', { condition: 'fair' })
    const tram = await make('Tram', { category_id: root, city: 'Ulm', description: 'No unicycle' })
    const found = async (query: string) => toIds(await walk<Row>(viewer, `/products?${query}`))
    expect(await found('search=unicycle')).toEqual([tram, green, red])
    expect(await found('search=UNICYC%20red')).toEqual([red])
    expect(await found('search=gr%C3%BCne')).toEqual([green])
    expect(await found('search=tv')).toEqual([red])
    expect(await found('search=t')).toEqual([])
    expect(await found('search=icycle')).toEqual([])
    expect(await found('search=it%27s%20%26%20%21%7C%3A*%20%28')).toEqual([])
    expect(await found('category=vehicles')).toEqual([tram, green, red])
    expect(await found(`category=${leaf}`)).toEqual([green, red])
    expect(await found('category=vehicles&city=ghent&condition=fair')).toEqual([green])
    expect(await found('category=vehicles&search=unicycle&city=ulm')).toEqual([tram])
    await fan.data('PUT', `/products/${red}/like`)
    await viewer.data('PUT', `/products/${red}/like`)
    await viewer.data('PUT', `/products/${tram}/like`)
    expect(await found('category=vehicles&sort=most_liked&limit=1')).toEqual([red, tram, green])
    expect(await found('search=unicycle&sort=most_liked&limit=1')).toEqual([red, tram, green])
    await deps.db.updateTable('products').set({ status: 'paused' }).where('product_id', '=', red).execute()
    const categories = await viewer.data<{ id: number }[]>('GET', '/categories')
    expect(categories.filter(({ id }) => id === root || id === leaf)).toEqual([
      { id: leaf, parent_id: root, slug: 'unicycles', name: 'unicycles', products: 1 },
      { id: root, parent_id: null, slug: 'vehicles', name: 'vehicles', products: 2 },
    ])
  })

  test.for([
    ['search', 'search=%21%21'],
    ['search', 'search=a+b+c+d+e+f+g+h+i'],
    ['search', `search=${'a'.repeat(201)}`],
    ['category', 'category=nowhere'],
    ['condition', 'condition=broken'],
    ['sort', 'sort=random'],
    ['limit', 'limit=0'],
    ['cursor', 'cursor=nonsense'],
    ['cursor', `cursor=${Buffer.from('["products newest",1]').toString('base64url')}&sort=most_liked`],
  ])('refuses a wrong %s (%#)', async ([field, query], { service }) => {
    const viewer = await givenCaller(service)
    expectInvalid(await viewer.call('GET', `/products?${query}`), field!)
  })

  test('answers a made-up cursor with an empty page', async ({ service }) => {
    const viewer = await givenCaller(service)
    const cursor = Buffer.from(`["products most_liked",${-(2 ** 53) + 1},0]`).toString('base64url')
    const answer = await viewer.call('GET', `/products?sort=most_liked&cursor=${cursor}`)
    expect(answer.json()).toMatchObject({ data: [], next_cursor: null })
  })

  test('shows people who block each other nothing of one another', async ({ service, deps }) => {
    const [one, other] = [await givenCaller(service), await givenCaller(service)]
    const product = await givenProduct(deps, one, { city: 'Block town' })
    await other.data('PUT', `/products/${product}/like`)
    const paths = [`/products/${product}`, `/users/${one.userId}`]
    const seen = async () => [
      ...(await Promise.all(paths.map(async (path) => (await other.call('GET', path)).statusCode))),
      (await walk(other, '/products?city=block%20town')).length,
      (await walk(other, '/products?search=thing&city=block%20town')).length,
      (await walk(other, '/me/likes')).length,
      (await other.call('PUT', `/products/${product}/like`)).statusCode,
    ]
    expect(await seen()).toEqual([200, 200, 1, 1, 1, 200])
    for (const [blocker, blocked] of [
      [one, other],
      [other, one],
    ] as const) {
      await blocker.data('POST', `/users/${blocked.userId}/block`)
      expect(await seen()).toEqual([404, 404, 0, 0, 0, 404])
      await blocker.data('DELETE', `/users/${blocked.userId}/block`)
    }
    expect(await seen()).toEqual([200, 200, 1, 1, 1, 200])
  })
})

describe('the page of a person', () => {
  test('shows the person, since when, the number of completed swaps, and the listed products', async ({
    service,
    deps,
  }) => {
    const { owner, requester, swapId } = await givenProposal(service)
    const done = {
      status: 'completed',
      completed_at: new Date(),
      requester_confirmed_at: new Date(),
      owner_confirmed_at: new Date(),
    } as const
    await deps.db.updateTable('swaps').set(done).where('swap_id', '=', swapId).execute()
    const more = await givenProduct(deps, owner)
    await givenProduct(deps, owner, { status: 'draft' })
    const viewer = await givenCaller(service)
    const page = await viewer.data<{ next_cursor: string }>('GET', `/users/${owner.userId}?limit=1`)
    expect(page).toMatchObject({ id: owner.userId, completed_swaps: 1, product_count: 2, products: [{ id: more }] })
    expect(page).not.toHaveProperty('email')
    const next = await viewer.data('GET', `/users/${owner.userId}?limit=1&cursor=${page.next_cursor}`)
    expect(next).toMatchObject({ products: [{ owner: { id: owner.userId } }], next_cursor: null })
    expectInvalid(await viewer.call('GET', `/users/${requester.userId}?cursor=${page.next_cursor}`), 'cursor')
  })

  test('of a barred or deleted account is 404', async ({ service, deps }) => {
    const viewer = await givenCaller(service)
    for (const wish of [{ status: 'suspended' }, { deleted_at: new Date() }] as const) {
      const { userId } = await service.given.user()
      await deps.db.updateTable('users').set(wish).where('user_id', '=', userId).execute()
      expectError(await viewer.call('GET', `/users/${userId}`), 404, 'NOT_FOUND')
    }
    expectError(await viewer.call('GET', '/users/987654321'), 404, 'NOT_FOUND')
  })
})
