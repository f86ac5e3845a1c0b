import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenProduct } from '../../../test/support/marketplace.ts'
import { givenPanel } from '../../../test/support/panel.ts'
import { givenCategory } from '../../../test/support/product-reports.ts'
import type { ProductEdit } from '../products/moderation.ts'
import {
  createOwnProduct,
  editOwnProduct,
  pauseOwnProduct,
  resumeOwnProduct,
  submitOwnProduct,
} from './own-products.ts'
import { commitAs } from '../../../test/support/commit.ts'

const DRAFT = { title: 'Lamp', description: 'Bright', condition: 'good' } as const

describe('an owner', () => {
  test('drafts a product, submits it, and it waits for verification', async ({ service, deps, given, clock }) => {
    const panel = await givenPanel(service)
    const { userId } = await given.user()
    const categoryId = await givenCategory(deps)
    const { product_id: productId } = await commitAs({ userId }, deps, createOwnProduct, {
      ...DRAFT,
      category_id: categoryId,
    })
    expect(await waiting(panel)).not.toContain(productId)
    await clock.tick(60_000)
    const submitted = await commitAs({ userId }, deps, submitOwnProduct, { productId })
    expect(submitted).toMatchObject({ status: 'active', verification: 'pending', submitted_at: new Date(clock.now()) })
    expect(await waiting(panel)).toContain(productId)
    const { data } = (await panel.get(`/products/${productId}`)).json<{ data: { history: unknown } }>()
    expect(data.history).toMatchObject({
      status: [
        { from: 'draft', to: 'active', actor: 'user' },
        { from: null, to: 'draft' },
      ],
      verification: [{ from: null, to: 'pending' }],
    })
    await expect(commitAs({ userId }, deps, submitOwnProduct, { productId })).rejects.toMatchObject({
      code: 'INVALID_STATE',
    })
  })

  test.for([
    ['title', { title: 'Other' }],
    ['description', { description: 'Other' }],
    ['images', { images: ['https://example.com/2.jpg'] }],
    ['category_id', undefined],
  ] as [string, Omit<ProductEdit, 'status'> | undefined][])(
    'who changes the %s of a verified product puts it back to pending',
    async ([field, edit], { service, deps, given, clock }) => {
      const panel = await givenPanel(service)
      const owner = await given.user()
      const productId = await givenProduct(deps, owner, { verification: 'pending' })
      await panel.post(`/mark-product-verified/${productId}`)
      await clock.tick(1_000)
      const change = edit ?? { category_id: await givenCategory(deps) }
      const product = await commitAs(owner, deps, editOwnProduct, { productId, edit: { ...change, city: 'Ulm' } })
      expect(product).toMatchObject({
        ...change,
        verification: 'pending',
        verified_at: null,
        revision: 2,
        status: 'active',
      })
      const queue = await panel.get('/add-product-verification?per_page=100')
      const item = queue.json<{ data: { id: number }[] }>().data.find(({ id }) => id === productId)
      expect(item).toMatchObject({
        waiting_seconds: 0,
        changed_fields: [field],
        last_verified: { title: 'A thing' },
        previous_decision: { action: 'verify', revision: 1 },
      })
    },
  )

  test('who changes other fields, or nothing, keeps it verified', async ({ deps, given }) => {
    const owner = await given.user()
    const productId = await givenProduct(deps, owner)
    const own = { userId: owner.userId, productId }
    const edit = { condition: 'fair', wants: 'A bike', city: 'Ulm', estimated_value_cents: 5 } as const
    expect(await commitAs(own, deps, editOwnProduct, { ...own, edit })).toMatchObject({
      ...edit,
      verification: 'verified',
      revision: 1,
      version: 2,
    })
    expect(await commitAs(own, deps, editOwnProduct, { ...own, edit: { title: 'A thing' } })).toMatchObject({
      version: 2,
    })
  })

  test('who edits a waiting product keeps its place in the queue; moderators see the new revision', async ({
    deps,
    given,
    clock,
  }) => {
    const owner = await given.user()
    const productId = await givenProduct(deps, owner, { verification: 'pending' })
    const submittedAt = new Date(clock.now())
    await clock.tick(5_000)
    const product = await commitAs(owner, deps, editOwnProduct, { productId, edit: { title: 'New' } })
    expect(product).toMatchObject({ submitted_at: submittedAt, revision: 2, verification: 'pending' })
  })

  test.for(['rejected', 'changes_requested'] as const)(
    'submits again what was %s, to the end of the queue',
    async (verification, { deps, given, clock }) => {
      const owner = await given.user()
      const productId = await givenProduct(deps, owner, { verification })
      await clock.tick(5_000)
      const edited = await commitAs(owner, deps, editOwnProduct, { productId, edit: { title: 'New' } })
      expect(edited.verification).toBe(verification)
      const product = await commitAs(owner, deps, submitOwnProduct, { productId })
      expect(product).toMatchObject({ verification: 'pending', submitted_at: new Date(clock.now()) })
    },
  )

  test.for(['reserved', 'swapped', 'removed'] as const)(
    'does not edit or submit what is %s',
    async (status, { deps, given }) => {
      const owner = await given.user()
      const productId = await givenProduct(deps, owner, { status, verification: 'rejected' })
      const own = { userId: owner.userId, productId }
      await expect(commitAs(own, deps, editOwnProduct, { ...own, edit: { title: 'x' } })).rejects.toMatchObject({
        code: 'INVALID_STATE',
      })
      await expect(commitAs(own, deps, submitOwnProduct, own)).rejects.toMatchObject({ code: 'INVALID_STATE' })
    },
  )

  test('pauses a product and puts it back', async ({ deps, given }) => {
    const owner = await given.user()
    const own = { userId: owner.userId, productId: await givenProduct(deps, owner) }
    await commitAs(own, deps, pauseOwnProduct, own)
    await expect(commitAs(own, deps, pauseOwnProduct, own)).rejects.toMatchObject({
      code: 'INVALID_STATE',
    })
    await commitAs(own, deps, resumeOwnProduct, own)
  })

  test('cannot change a product of another, nor use an unknown category', async ({ deps, given }) => {
    const [owner, stranger] = [await given.user(), await given.user()]
    const productId = await givenProduct(deps, owner)
    const own = { userId: stranger.userId, productId }
    const missing = { code: 'NOT_FOUND' }
    await expect(commitAs(own, deps, editOwnProduct, { ...own, edit: { title: 'x' } })).rejects.toMatchObject(missing)
    await expect(commitAs(own, deps, submitOwnProduct, own)).rejects.toMatchObject(missing)
    await expect(commitAs(own, deps, pauseOwnProduct, own)).rejects.toMatchObject(missing)
    const draft = commitAs(owner, deps, createOwnProduct, { ...DRAFT, category_id: 999_999_999 })
    await expect(draft).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    const edit = commitAs(owner, deps, editOwnProduct, { productId, edit: { category_id: 999_999_999 } })
    await expect(edit).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})

async function waiting(panel: Awaited<ReturnType<typeof givenPanel>>): Promise<number[]> {
  const queue = await panel.get('/add-product-verification?per_page=100')
  return queue.json<{ data: { id: number }[] }>().data.map(({ id }) => id)
}
