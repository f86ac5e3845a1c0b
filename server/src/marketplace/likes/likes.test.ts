import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { automaticMessages, givenProduct } from '../../../test/support/marketplace.ts'
import type { Deps } from '../../deps.ts'
import { requestSwap } from '../swaps/propose.ts'
import { likeProduct, unlikeProduct } from './likes.ts'
import { commitAs } from '../../../test/support/commit.ts'

describe('a like', () => {
  test('of each other’s products is a match; the person who liked first is notified once, also after later likes', async ({
    service,
  }) => {
    const { deps, given } = service
    const [ada, bob] = [await given.user(), await given.user()]
    const [hers, his, another] = [
      await givenProduct(deps, ada),
      await givenProduct(deps, bob),
      await givenProduct(deps, bob),
    ]
    expect(await commitAs(ada, deps, likeProduct, { productId: his })).toMatchObject({ matched: false })
    expect(await matchesTold(deps)).toEqual([])
    expect(await commitAs(bob, deps, likeProduct, { productId: hers })).toMatchObject({ matched: true })
    expect(await commitAs(ada, deps, likeProduct, { productId: another })).toMatchObject({
      matched: false,
    })
    await commitAs(ada, deps, unlikeProduct, { productId: his })
    expect(await commitAs(ada, deps, likeProduct, { productId: his })).toMatchObject({ matched: false })
    expect(await matchesTold(deps)).toEqual([[ada.userId]])
    const swap = await commitAs(ada, deps, requestSwap, { proposal: { offered: [hers], requested: [his] } })
    expect(swap.origin).toBe('match')
  })

  test('given by both at the same moment is one match, for each of 25 pairs at once', async ({ service }) => {
    const { deps, given } = service
    const before = (await matchesTold(deps)).length
    const likes = []
    for (let i = 0; i < 25; i++) {
      const [ada, bob] = [await given.user(), await given.user()]
      likes.push({ userId: ada.userId, productId: await givenProduct(deps, bob) })
      likes.push({ userId: bob.userId, productId: await givenProduct(deps, ada) })
    }
    const outcomes = await Promise.all(likes.map((like) => commitAs(like, deps, likeProduct, like)))
    expect(outcomes.filter(({ matched }) => matched)).toHaveLength(25)
    expect((await matchesTold(deps)).length).toBe(before + 25)
    const again = await Promise.all([...likes, ...likes].map((like) => commitAs(like, deps, likeProduct, like)))
    expect(again.some(({ matched }) => matched)).toBe(false)
  })

  test('is for products of others that can be seen', async ({ service }) => {
    const { deps, given } = service
    const [ada, bob] = [await given.user(), await given.user()]
    const userId = ada.userId
    const own = commitAs({ userId }, deps, likeProduct, { productId: await givenProduct(deps, ada) })
    await expect(own).rejects.toMatchObject({ extras: { errors: { product_id: ['must not be your own'] } } })
    const now = new Date(deps.clock.now())
    for (const wishes of [{ hidden_at: now }, { deleted_at: now }, { status: 'removed' as const }]) {
      const productId = await givenProduct(deps, bob, wishes)
      await expect(commitAs({ userId }, deps, likeProduct, { productId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    await expect(commitAs({ userId }, deps, likeProduct, { productId: 1e9 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

async function matchesTold(deps: Deps): Promise<number[][]> {
  const told = await automaticMessages(deps)
  return told.filter(({ data }) => data['event'] === 'swap_match').map(({ to }) => to)
}
