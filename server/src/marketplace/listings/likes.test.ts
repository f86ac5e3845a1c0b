import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenCaller, walk } from '../../../test/support/app-caller.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import { givenProduct } from '../../../test/support/marketplace.ts'

type Row = { id: number; like_count: number }
const toIds = (rows: Row[]) => rows.map(({ id }) => id)

describe('a like', () => {
  test('is counted once, taken back once, and listed by the time at which it was given', async ({
    service,
    deps,
    clock,
  }) => {
    const [viewer, owner] = [await givenCaller(service), await givenCaller(service)]
    const ids = []
    for (let n = 0; n < 4; n++) {
      const id = await givenProduct(deps, owner)
      await clock.tick(1_000)
      for (let time = 0; time < 2; time++)
        expect(await viewer.data('PUT', `/products/${id}/like`)).toEqual({
          product_id: id,
          is_liked: true,
          like_count: 1,
          is_match: false,
        })
      ids.unshift(id)
    }
    expect(toIds(await walk<Row>(viewer, '/me/likes?limit=1'))).toEqual(ids)
    const path = `/products/${ids[0]}`
    for (let time = 0; time < 2; time++)
      expect(await viewer.data('DELETE', `${path}/like`)).toEqual({ product_id: ids[0], is_liked: false })
    expect(await viewer.data('GET', path)).toMatchObject({ like_count: 0, liked_by_me: false })
    expect(toIds(await walk<Row>(viewer, '/me/likes'))).toEqual(ids.slice(1))
    expectInvalid(await owner.call('PUT', `${path}/like`), 'product_id')
    expectError(await viewer.call('PUT', '/products/987654321/like'), 404, 'NOT_FOUND')
  })

  test('of one product is counted for fifty people who like and unlike it at once, without a deadlock', async ({
    service,
    deps,
  }) => {
    const owner = await givenCaller(service)
    const hot = await givenProduct(deps, owner)
    const people = await Promise.all(Array.from({ length: 50 }, () => givenCaller(service)))
    const all = async (method: 'PUT' | 'DELETE', who: typeof people) =>
      (await Promise.all(who.map((one) => one.call(method, `/products/${hot}/like`)))).map(
        ({ statusCode }) => statusCode,
      )
    const count = async () => (await owner.data<{ like_count: number }>('GET', `/products/${hot}`)).like_count
    expect(new Set(await all('PUT', [...people, ...people]))).toEqual(new Set([200]))
    expect(await count()).toBe(50)
    const leaving = people.slice(0, 20)
    expect(new Set((await Promise.all([all('DELETE', leaving), all('PUT', people.slice(20))])).flat())).toEqual(
      new Set([200]),
    )
    expect(await count()).toBe(30)
  })

  test('of each other is a match, with what a proposal needs', async ({ service, deps, clock }) => {
    const ada = await givenCaller(service)
    const [hers, extra] = [await givenProduct(deps, ada), await givenProduct(deps, ada)]
    const others = []
    for (let n = 0; n < 3; n++) {
      const other = await givenCaller(service)
      const product = await givenProduct(deps, other)
      await clock.tick(1_000)
      await other.data('PUT', `/products/${hers}/like`)
      expect(await ada.data('PUT', `/products/${product}/like`)).toMatchObject({ is_match: true })
      others.unshift({ other, product })
    }
    await others[0]!.other.data('PUT', `/products/${extra}/like`)
    const matches = await walk<{ user: { id: number }; my_products: Row[]; their_products: Row[] }>(
      ada,
      '/matches?limit=1',
    )
    expect(
      matches.map(({ user, my_products, their_products }) => [user.id, toIds(my_products), toIds(their_products)]),
    ).toEqual(others.map(({ other, product }, n) => [other.userId, n === 0 ? [extra, hers] : [hers], [product]]))
    expect(await walk(others[1]!.other, '/matches')).toMatchObject([
      { user: { id: ada.userId }, my_products: [{ id: others[1]!.product }], their_products: [{ id: hers }] },
    ])
    await others[2]!.other.data('POST', `/users/${ada.userId}/block`)
    expect(await walk(ada, '/matches')).toHaveLength(2)
  })
})
