// Slow: many costly requests, or long data.
import { array, assert, asyncProperty, constantFrom, record } from 'fast-check'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { givenProduct } from '../../../test/support/marketplace.ts'
import { givenPanel, type Panel } from '../../../test/support/panel.ts'
import { givenReport } from '../../../test/support/product-reports.ts'
import type { Service } from '../../../test/support/service.ts'
import { REPORT_MOVES } from '../reports/reports.ts'
import { AVAILABILITY_MOVES, changeAvailability } from './availability.ts'
import { VERIFICATION_MOVES } from './moderation.ts'
import { editOwnProduct, pauseOwnProduct, submitOwnProduct } from '../own-products/own-products.ts'
import { commitAs, commitWork } from '../../../test/support/commit.ts'

type Table = Readonly<Record<string, readonly string[]>>
type Step = (world: World) => Promise<unknown>
type World = Service & { panel: Panel; userId: number; productId: number; reportId: number }

const VERDICT = { reason_code: 'other', message: 'Please look again.' }
let edits = 0

const move =
  (to: 'reserved' | 'swapped' | 'active') =>
  ({ deps, productId }: World) =>
    commitWork(deps, changeAvailability, { productIds: [productId], to, actor: 'system' })

/** Everything that moves a product or a report, whether it may or not. */
const STEPS: Record<string, Step> = {
  verify: ({ panel, productId }) => panel.post(`/mark-product-verified/${productId}`),
  reject: ({ panel, productId }) => panel.post(`/reject-product/${productId}`, VERDICT),
  'request changes': ({ panel, productId }) => panel.post(`/request-product-changes/${productId}`, VERDICT),
  remove: ({ panel, productId: id }) => panel.patch('/product-update', { id, status: 'removed' }),
  activate: ({ panel, productId: id }) => panel.patch('/product-update', { id, status: 'active' }),
  pause: ({ panel, productId: id }) => panel.patch('/product-update', { id, status: 'paused' }),
  'edit as owner': ({ deps, userId, productId }) =>
    commitAs({ userId }, deps, editOwnProduct, { productId, edit: { title: `Title ${edits++}` } }),
  submit: ({ deps, userId, productId }) => commitAs({ userId }, deps, submitOwnProduct, { productId }),
  'pause as owner': ({ deps, userId, productId }) => commitAs({ userId }, deps, pauseOwnProduct, { productId }),
  reserve: move('reserved'),
  'give away': move('swapped'),
  'give back': move('active'),
  assign: ({ panel, reportId }) => panel.post(`/report/reported-product/${reportId}/assign`),
  dismiss: ({ panel, reportId }) => panel.post(`/report/reported-product/${reportId}/dismiss`),
  warn: ({ panel, reportId }) => panel.post(`/report/reported-product/${reportId}/resolve`, { action: 'warn_owner' }),
  'remove for a report': ({ panel, reportId }) =>
    panel.post(`/report/reported-product/${reportId}/resolve`, { action: 'remove_product' }),
}

test('states follow their tables of moves in any order of calls, and each change has an event', async ({ service }) => {
  const panel = await givenPanel(service)
  const { userId, ...owner } = await service.given.user()
  const names = array(constantFrom(...Object.keys(STEPS)), { minLength: 1, maxLength: 14 })
  const start = record({
    status: constantFrom('draft', 'active', 'paused'),
    verification: constantFrom('pending', 'rejected', 'changes_requested'),
  })
  const run = async (wishes: { status: 'draft'; verification: 'pending' }, steps: string[]) => {
    const productId = await givenProduct(service.deps, { ...owner, userId }, wishes)
    const reporter = await service.given.user()
    const reportId = await givenReport(service.deps, { productId, reporterId: reporter.userId })
    const world = { ...service, panel, userId, productId, reportId }
    for (const name of steps) expect(await catchFailure(STEPS[name]!(world))).toBeUndefined()
    await expectTruth(world, wishes)
  }
  await assert(
    asyncProperty(start, names, (wishes, steps) => run(wishes as never, steps)),
    { numRuns: 40 },
  )
})

/** Unexpected errors; a refusal is expected. */
async function catchFailure(step: Promise<unknown>): Promise<unknown> {
  try {
    const { statusCode = 200 } = ((await step) ?? {}) as { statusCode?: number }
    return [200, 409].includes(statusCode) ? undefined : statusCode
  } catch (error) {
    return (error as { code?: string }).code === 'INVALID_STATE' ? undefined : error
  }
}

async function expectTruth({ deps, productId, reportId }: World, start: { status: string; verification: string }) {
  const product = await deps.db
    .selectFrom('products')
    .selectAll()
    .where('product_id', '=', productId)
    .executeTakeFirstOrThrow()
  const report = await deps.db
    .selectFrom('product_reports')
    .selectAll()
    .where('report_id', '=', reportId)
    .executeTakeFirstOrThrow()
  const axes: [entity: 'product' | 'verification' | 'report', id: number, table: Table, from: string, to: string][] = [
    ['product', productId, AVAILABILITY_MOVES, start.status, product.status],
    ['verification', productId, VERIFICATION_MOVES, start.verification, product.verification],
    ['report', reportId, REPORT_MOVES, 'open', report.status],
  ]
  for (const [entity, id, table, from, to] of axes) {
    const events = await deps.db
      .selectFrom('state_changes')
      .select(['from_state', 'to_state'])
      .where('entity', '=', entity)
      .where('entity_id', '=', id)
      .orderBy('state_change_id')
      .execute()
    let state = from
    for (const event of events) {
      expect(event.from_state).toBe(state)
      expect(table[state]).toContain(event.to_state)
      state = event.to_state
    }
    expect(state).toBe(to)
  }
  expect(product.verified_at !== null).toBe(product.verification === 'verified')
}
