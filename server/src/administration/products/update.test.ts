import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { badTexts, expectError, expectInvalid } from '../../../test/support/faults.ts'
import { automaticMessages, givenProduct } from '../../../test/support/marketplace.ts'
import { givenPanel, tally } from '../../../test/support/panel.ts'
import { givenCategory, givenReport } from '../../../test/support/product-reports.ts'
import type { Service } from '../../../test/support/service.ts'

function toStored({ deps }: Service, productId: number) {
  return deps.db.selectFrom('products').selectAll().where('product_id', '=', productId).executeTakeFirstOrThrow()
}

function toAudit({ deps }: Service, productId: number) {
  return deps.db
    .selectFrom('audit_log as l')
    .leftJoin('audit_details as d', (join) => join.onRef('d.audit_id', '=', 'l.audit_id').on('d.part', '=', 'change'))
    .select(['l.action', 'l.actor_id', 'd.subject_id', 'd.content'])
    .where('l.entity', '=', 'product')
    .where('l.entity_id', '=', productId)
    .orderBy('l.audit_id')
    .execute()
}

describe('PATCH /api/admin/v1/product-update', () => {
  test('changes what it names, audits what differs, and leaves the verification alone', async ({
    service,
    deps,
    given,
  }) => {
    const panel = await givenPanel(service)
    const owner = await given.user()
    const id = await givenProduct(deps, owner, { city: 'Bonn' })
    const categoryId = await givenCategory(deps)
    const edit = {
      title: 'Better title',
      description: 'Better text',
      category_id: categoryId,
      condition: 'fair',
      wants: 'A bike',
      city: null,
      estimated_value_cents: 12_345,
      images: ['https://example.com/new.jpg'],
    }
    const answer = await panel.patch('/product-update', { id, ...edit })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['etag']).toBe('"v2"')
    const { category_id: _, ...shown } = edit
    expect(answer.json()).toMatchObject({ data: { ...shown, category: { id: categoryId }, verification: 'verified' } })
    expect(await toStored(service, id)).toMatchObject({ ...edit, verification: 'verified', revision: 2, version: 2 })
    expect(await toAudit(service, id)).toMatchObject([
      {
        action: 'product.update',
        actor_id: panel.user.userId,
        subject_id: owner.userId,
        content: { before: { title: 'A thing', city: 'Bonn' }, after: edit },
      },
    ])
  })

  test('takes the longest images that an owner may store, so that one of them can be taken away', async ({
    service,
    app,
    deps,
    given,
  }) => {
    const { headers } = await given.user()
    const images = [1, 2].map((n) => `https://images.example/${n}/`.padEnd(2_000, 'x'))
    const about = {
      title: 'A lamp',
      description: 'It shines',
      condition: 'good',
      category_id: await givenCategory(deps),
    }
    const created = await app.inject({
      method: 'POST',
      url: '/api/v1/products',
      headers,
      payload: { ...about, images },
    })
    expect(created.statusCode).toBe(201)
    const { id } = created.json<{ data: { id: number } }>().data
    const answer = await (await givenPanel(service)).patch('/product-update', { id, images: images.slice(1) })
    expect(answer.json()).toMatchObject({ data: { images: images.slice(1) } })
  })

  test('that changes nothing leaves version and audit log as they are', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const id = await givenProduct(deps, await given.user())
    const answer = await panel.patch('/product-update', { id, title: 'A thing', status: 'active', images: [] })
    expect(answer.headers['etag']).toBe('"v1"')
    expect(await toAudit(service, id)).toEqual([])
  })

  test.for([
    ['draft', 'active'],
    ['active', 'paused'],
    ['paused', 'active'],
    ['removed', 'active'],
    ['swapped', 'removed'],
    ['paused', 'removed'],
  ] as const)('moves it from %s to %s, with an event', async ([from, to], { service, deps, given }) => {
    const panel = await givenPanel(service)
    const id = await givenProduct(deps, await given.user(), { status: from })
    const answer = await panel.patch('/product-update', { id, status: to })
    expect(answer.json()).toMatchObject({ data: { status: to, history: { status: [{ from, to }] } } })
    expect(await toAudit(service, id)).toMatchObject([{ content: { before: { status: from }, after: { status: to } } }])
  })

  test.for([
    ['active', 'reserved'],
    ['active', 'draft'],
    ['active', 'swapped'],
    ['reserved', 'active'],
    ['reserved', 'paused'],
    ['swapped', 'active'],
    ['removed', 'paused'],
    ['draft', 'paused'],
  ] as const)('does not move it from %s to %s', async ([from, to], { service, deps, given }) => {
    const panel = await givenPanel(service)
    const id = await givenProduct(deps, await given.user(), { status: from })
    expectError(await panel.patch('/product-update', { id, status: to, title: 'New' }), 409, 'INVALID_STATE')
    expect(await toStored(service, id)).toMatchObject({ status: from, title: 'A thing', version: 1 })
  })

  test('that removes it notifies owner and reporters, ends its reports, and can be undone', async ({
    service,
    deps,
    given,
  }) => {
    const panel = await givenPanel(service)
    const [owner, reporter] = [await given.user(), await given.user()]
    const id = await givenProduct(deps, owner)
    const reportId = await givenReport(deps, { productId: id, reporterId: reporter.userId })
    await panel.patch('/product-update', { id, status: 'removed' })
    const report = deps.db.selectFrom('product_reports').selectAll().where('report_id', '=', reportId)
    expect(await report.executeTakeFirst()).toMatchObject({ status: 'actioned', resolution: 'removed' })
    const told = (await automaticMessages(deps)).filter(({ data }) => data['product_id'] === id)
    expect(told.map(({ to }) => to)).toEqual([[reporter.userId], [owner.userId]])
    const back = await panel.patch('/product-update', { id, status: 'active' })
    expect(back.json()).toMatchObject({ data: { moderation: [{ action: 'restore' }, { action: 'remove' }] } })
  })

  test('cannot restore a removed product that was swapped', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const [owner, other] = [await given.user(), await given.user()]
    const id = await givenProduct(deps, owner, { status: 'removed' })
    const at = new Date()
    const { swap_id } = await deps.db
      .insertInto('swaps')
      .values({ requester_id: other.userId, owner_id: owner.userId, expires_at: at, created_at: at, updated_at: at })
      .returning('swap_id')
      .executeTakeFirstOrThrow()
    await deps.db
      .insertInto('swap_items')
      .values({ swap_id, product_id: id, side: 'requested', is_held: true })
      .execute()
    expectError(await panel.patch('/product-update', { id, status: 'active' }), 409, 'INVALID_STATE')
  })

  test('of another version is 412 with the product as it is', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const id = await givenProduct(deps, await given.user())
    await panel.patch('/product-update', { id, title: 'First' }, { 'if-match': '"v1"' })
    const stale = await panel.patch('/product-update', { id, title: 'Second' }, { 'if-match': '"v1"' })
    expectError(stale, 412, 'STALE_VERSION')
    expect(stale.json()).toMatchObject({ data: { id, title: 'First', version: 2, owner: {} } })
    const removal = await panel.patch('/product-update', { id, status: 'removed' }, { 'if-match': '"v1"' })
    expectError(removal, 412, 'STALE_VERSION')
    expect(await toStored(service, id)).toMatchObject({ title: 'First', status: 'active' })
  })

  test('fifty times at once with one version changes it once', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const id = await givenProduct(deps, await given.user())
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        panel.patch('/product-update', { id, title: `${n}` }, { 'if-match': '"v1"' }),
      ),
    )
    expect(tally(answers)).toEqual({ 200: 1, 412: 49 })
    expect(await toStored(service, id)).toMatchObject({ version: 2 })
    expect(await toAudit(service, id)).toHaveLength(1)
  })

  test.for<[string, string, unknown]>([
    ...badTexts(200)
      .slice(1)
      .map(([what, value]): [string, string, unknown] => ['title', what, value]),
    ...badTexts(5_000)
      .slice(1)
      .map(([what, value]): [string, string, unknown] => ['description', what, value]),
    ['title', 'blank', '   '],
    ['wants', 'too long', 'x'.repeat(501)],
    ['city', 'too long', 'x'.repeat(101)],
    ['category_id', 'unknown', 999_999_999],
    ['category_id', 'a text', '1'],
    ['condition', 'of a fifth kind', 'broken'],
    ['status', 'of a seventh kind', 'sold'],
    ['estimated_value_cents', 'negative', -1],
    ['estimated_value_cents', 'half a cent', 0.5],
    ['estimated_value_cents', 'beyond its column', 2 ** 60],
    ['images.0', 'no web address', 'javascript:alert(1)'],
    ['images', 'too many', Array<string>(21).fill('https://example.com/1.jpg')],
    ['verification', 'not a field', 'verified'],
    ['verified_at', 'not a field', null],
    ['verified_by', 'not a field', 1],
    ['user_id', 'not a field', 1],
    ['__proto__x', 'not a field', 1],
  ])('refuses a body whose %s is %s, and stores nothing', async ([field, , value], { service, deps, given }) => {
    const panel = await givenPanel(service)
    const id = await givenProduct(deps, await given.user())
    const name = field.split('.')[0]!
    expectInvalid(
      await panel.patch('/product-update', { id, wants: 'x', [name]: field === 'images.0' ? [value] : value }),
      field,
    )
    expect(await toStored(service, id)).toMatchObject({ version: 1, title: 'A thing' })
  })

  test('without an id, or with nothing but an id, is refused', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const id = await givenProduct(deps, await given.user())
    expectError(await panel.patch('/product-update', { title: 'x' }), 422, 'VALIDATION_ERROR')
    expectInvalid(await panel.patch('/product-update', { id }), 'body')
  })

  test('of none, or of a deleted one, is 404', async ({ service, deps, given }) => {
    const panel = await givenPanel(service)
    const gone = await givenProduct(deps, await given.user(), { deleted_at: new Date() })
    for (const id of [gone, 999_999_999])
      for (const edit of [{ title: 'x' }, { status: 'removed' }])
        expectError(await panel.patch('/product-update', { id, ...edit }), 404, 'NOT_FOUND')
  })

  test('is not for moderators', async ({ service }) => {
    const panel = await givenPanel(service, 'moderator')
    expectError(await panel.patch('/product-update', { id: 1, title: 'x' }), 403, 'FORBIDDEN')
  })
})
