import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import { automaticMessages, givenProduct, givenProposal } from '../../../test/support/marketplace.ts'
import { toProduct } from '../../../test/support/moderation.ts'
import { givenPanel, tally } from '../../../test/support/panel.ts'
import { givenReport } from '../../../test/support/product-reports.ts'
import type { Service } from '../../../test/support/service.ts'
import { hideUserProducts, showUserProducts } from '../../marketplace/products/products.queries.ts'

function toSwap({ deps }: Service, swapId: number) {
  return deps.db.selectFrom('swaps').selectAll().where('swap_id', '=', swapId).executeTakeFirstOrThrow()
}

describe('DELETE /api/admin/v1/product/:id', () => {
  test('deletes it, with its reason in history and audit log', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const owner = await given.user()
    const id = await givenProduct(deps, owner)
    const answer = await panel.delete(`/product/${id}`, { reason: 'Asked for by the owner' })
    expect(answer.json()).toMatchObject({ success: true, data: { id, deleted_at: expect.any(String) as string } })
    expect(await toProduct(service, id)).toMatchObject({ deleted_at: expect.any(Date) as Date, status: 'active' })
    const entry = await deps.db
      .selectFrom('audit_log as l')
      .innerJoin('audit_details as d', 'd.audit_id', 'l.audit_id')
      .select(['l.action', 'd.content'])
      .where('l.entity_id', '=', id)
      .where('d.part', '=', 'change')
      .execute()
    expect(entry).toMatchObject([
      { action: 'product.delete', content: { after: { reason: 'Asked for by the owner' } } },
    ])
    expect((await automaticMessages(deps)).filter(({ to }) => to.includes(owner.userId))).toMatchObject([
      { data: { event: 'system', link: 'swapbell://notifications' } },
    ])
    const shown = await panel.get(`/products/${id}?deleted=include`)
    expect(shown.json()).toMatchObject({ data: { history: { status: [{ from: 'active', to: 'deleted' }] } } })
    expectError(await panel.delete(`/product/${id}`), 404, 'NOT_FOUND')
  })

  test('invalidates its open swaps, and notifies both sides', async ({ service, deps }) => {
    const panel = await givenPanel(service)
    const { requester, owner, offered, requested, swapId } = await givenProposal(service)
    expect((await panel.delete(`/product/${requested}`)).statusCode).toBe(200)
    expect(await toSwap(service, swapId)).toMatchObject({ status: 'invalidated', close_reason: 'product_deleted' })
    expect(await toProduct(service, offered)).toMatchObject({ status: 'active', deleted_at: null })
    const told = (await automaticMessages(deps)).filter(({ data }) => data['status'] === 'invalidated')
    expect(told.slice(-2).flatMap(({ to }) => to)).toEqual([requester.userId, owner.userId])
  })

  test('frees the product that was promised for it', async ({ service, deps }) => {
    const panel = await givenPanel(service)
    const { offered, requested, swapId } = await givenProposal(service)
    await deps.db
      .updateTable('swaps')
      .set({ status: 'accepted', accepted_at: new Date() })
      .where('swap_id', '=', swapId)
      .execute()
    await deps.db.updateTable('swap_items').set({ is_held: true }).where('swap_id', '=', swapId).execute()
    await deps.db
      .updateTable('products')
      .set({ status: 'reserved' })
      .where('product_id', 'in', [offered, requested])
      .execute()

    const stale = await panel.delete(`/product/${requested}`, {}, { 'if-match': '"v7"' })
    expectError(stale, 412, 'STALE_VERSION')
    expect(await toSwap(service, swapId)).toMatchObject({ status: 'accepted' })
    const { version } = await toProduct(service, requested)
    const answer = await panel.delete(`/product/${requested}`, {}, { 'if-match': `"v${version}"` })
    expect(answer.statusCode).toBe(200)
    expect(await toProduct(service, offered)).toMatchObject({ status: 'active' })
    expect(await toSwap(service, swapId)).toMatchObject({ status: 'invalidated' })
  })

  test('ends its reports', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const id = await givenProduct(deps, await given.user())
    await givenReport(deps, { productId: id, reporterId: (await given.user()).userId, status: 'in_review' })
    await panel.delete(`/product/${id}?reason=Spam`)
    const reports = await deps.db.selectFrom('product_reports').selectAll().where('product_id', '=', id).execute()
    expect(reports).toMatchObject([{ status: 'actioned', resolution: 'deleted', resolution_note: 'Spam' }])
  })

  test('fifty times at once deletes it once', async ({ service, deps }) => {
    const panel = await givenPanel(service)
    const { requested, swapId } = await givenProposal(service)
    const answers = await Promise.all(Array.from({ length: 50 }, () => panel.delete(`/product/${requested}`)))
    expect(tally(answers)).toEqual({ 200: 1, 404: 49 })
    const entries = deps.db
      .selectFrom('audit_log')
      .where('action', '=', 'product.delete')
      .where('entity_id', '=', requested)
    expect(await entries.selectAll().execute()).toHaveLength(1)
    const changes = await deps.db
      .selectFrom('state_changes')
      .select('entity_id')
      .where('entity', '=', 'swap')
      .where('to_state', '=', 'invalidated')
      .where('entity_id', '=', swapId)
      .execute()
    expect(changes).toHaveLength(1)
  })

  test.for<[string, string, Record<string, unknown> | undefined]>([
    ['id', '0', undefined],
    ['id', 'abc', undefined],
    ['reason', '1?reason=%20', undefined],
    ['reason', '1', { reason: ' ' }],
    ['reason', '1', { reason: 'x'.repeat(501) }],
    ['reason', '1', { reason: 7 }],
    ['because', '1', { because: 'x' }],
  ])('refuses a bad %s in %s %o', async ([field, path, payload], { service }) => {
    expectInvalid(await (await givenPanel(service)).delete(`/product/${path}`, payload), field)
  })

  test('is not for moderators', async ({ service }) => {
    expectError(await (await givenPanel(service, 'moderator')).delete('/product/1'), 403, 'FORBIDDEN')
  })
})

describe('the products of an account', () => {
  test('are hidden with it and shown again with it, as they were', async ({ service, deps, given }) => {
    const [owner, other] = [await given.user(), await given.user()]
    const [id, another] = [await givenProduct(deps, owner), await givenProduct(deps, other)]
    const at = new Date()
    await deps.db.transaction().execute((tx) => hideUserProducts(tx, [owner.userId], at))
    expect(await toProduct(service, id)).toMatchObject({ hidden_at: at, status: 'active' })
    expect(await toProduct(service, another)).toMatchObject({ hidden_at: null })
    await deps.db.transaction().execute((tx) => showUserProducts(tx, [owner.userId]))
    expect(await toProduct(service, id)).toMatchObject({ hidden_at: null, status: 'active' })
  })
})
