// Slow: two seconds or more for the file.

import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectError } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { hold } from '../../../test/support/holds.ts'
import { automaticMessages, givenProduct, givenProposal, swapStatus } from '../../../test/support/marketplace.ts'
import { givenPanel, tally, type Panel } from '../../../test/support/panel.ts'
import { openPhone } from '../../../test/support/phone.ts'
import { givenReport } from '../../../test/support/product-reports.ts'
import type { Service } from '../../../test/support/service.ts'
import { carryOutDueDecisions } from './decisions.ts'

const REASON = { reason_code: 'unsafe', message: 'It is not safe.' }
const UNDO_MS = 5_000

type Case = {
  path: string
  body: object
  /** Who is told. */
  told: number[]
  /** What the decision changes. */
  state: () => Promise<unknown>
}

async function givenVerification(service: Service, path: string, body: object): Promise<Case> {
  const owner = await service.given.user({ devices: [{}] })
  const productId = await givenProduct(service.deps, owner, { verification: 'pending' })
  const products = service.deps.db.selectFrom('products').select('verification').where('product_id', '=', productId)
  return { path: `/${path}/${productId}`, body, told: [owner.userId], state: () => products.executeTakeFirst() }
}

async function givenReported(service: Service, path: (report: number, product: number) => string, body: object) {
  const { deps, given } = service
  const [owner, reporter] = [await given.user({ devices: [{}] }), await given.user({ devices: [{}] })]
  const productId = await givenProduct(deps, owner)
  const reportId = await givenReport(deps, { productId, reporterId: reporter.userId })
  const reports = deps.db.selectFrom('product_reports').select('status').where('report_id', '=', reportId)
  const products = deps.db.selectFrom('products').select('status').where('product_id', '=', productId)
  const state = async () => [await reports.executeTakeFirst(), await products.executeTakeFirst()]
  const isOwnerTold = 'action' in body
  const told = [reporter.userId, ...(isOwnerTold ? [owner.userId] : [])]
  return { path: `/report/reported-product/${path(reportId, productId)}`, body, told, state }
}

async function givenReportedUser(service: Service): Promise<Case> {
  const { app, deps, given } = service
  const [reporter, { userId }] = [await given.user(), await given.user()]
  const url = `/api/v1/users/${userId}/report`
  const reported = await app.inject({ method: 'POST', url, headers: reporter.headers, payload: { reason: 'scam' } })
  const path = `/report/reported-users/${reported.json<{ data: { id: number } }>().data.id}/resolve`
  const users = deps.db.selectFrom('users').select('status').where('user_id', '=', userId)
  return { path, body: { action: 'suspend_user' }, told: [], state: () => users.executeTakeFirst() }
}

async function givenDisputed(service: Service): Promise<Case> {
  const { swapId, requester, owner } = await givenProposal(service)
  await openPhone(service, owner).post(`/api/v1/swaps/${swapId}/accept`)
  await openPhone(service, requester).post(`/api/v1/swaps/${swapId}/dispute`, { reason: 'It is broken.' })
  const body = { resolution: 'cancelled', note: 'Both agree.' }
  const told = [requester.userId, owner.userId]
  return { path: `/swap/${swapId}/resolve`, body, told, state: () => swapStatus(service.deps, swapId) }
}

const CASES: [string, (service: Service) => Promise<Case>][] = [
  ['an approval', (service) => givenVerification(service, 'mark-product-verified', {})],
  ['a rejection', (service) => givenVerification(service, 'reject-product', REASON)],
  ['a request for changes', (service) => givenVerification(service, 'request-product-changes', REASON)],
  ['a removal', (service) => givenReported(service, (_, id) => `${id}/decide`, { action: 'remove_product' })],
  ['a warning', (service) => givenReported(service, (id) => `${id}/resolve`, { action: 'warn_owner' })],
  ['a dismissal', (service) => givenReported(service, (id) => `${id}/dismiss`, {})],
  ['a suspension', givenReportedUser],
  ['the end of a dispute', givenDisputed],
]

async function made(panel: Panel, { path, body }: Case): Promise<number> {
  const answer = await panel.post(`${path}?undoable=true`, { ...body })
  expect(answer.json()).toMatchObject({ data: { status: 'waiting' } })
  expect(answer.statusCode).toBe(202)
  return answer.json<{ data: { id: number } }>().data.id
}

async function audited(panel: Panel, action: string): Promise<number> {
  return (await panel.get(`/audit-log?action=${action}`)).json<{ pagination: { total_items: number } }>().pagination
    .total_items
}

async function readStatus(panel: Panel, id: number): Promise<unknown> {
  const own = (await panel.get('/decisions')).json<{ data: { id: number; status: string; error: string | null }[] }>()
  return own.data.find((decision) => decision.id === id)
}

/** What the decision was given, as it is stored now. */
async function readRequest({ deps }: Service, id: number): Promise<unknown> {
  const decisions = deps.db.selectFrom('desk_decisions').select('request').where('decision_id', '=', id)
  return (await decisions.executeTakeFirstOrThrow()).request
}

describe('A decision at a desk', () => {
  test.for(CASES)(
    'that is undone within five seconds changes nothing and tells nobody: %s',
    async ([, given], { service }) => {
      const panel = await givenPanel(service)
      const one = await given(service)
      await drain(service)
      const [before, told, undone] = [
        await one.state(),
        await automaticMessages(service.deps),
        await audited(panel, 'decision.undo'),
      ]
      const id = await made(panel, one)
      await service.clock.tick(UNDO_MS - 1)
      await drain(service)
      expect((await panel.post(`/decisions/${id}/undo`)).json()).toMatchObject({ data: { id, status: 'undone' } })
      expect((await panel.post(`/decisions/${id}/undo`)).statusCode).toBe(200)
      await service.clock.tick(UNDO_MS)
      await drain(service)
      expect(await one.state()).toEqual(before)
      expect(await automaticMessages(service.deps)).toEqual(told)
      expect(await audited(panel, 'decision.undo')).toBe(undone + 1)
      expect(await readRequest(service, id)).toEqual({})
    },
  )

  test.for(CASES)(
    'is carried out after five seconds, and then it cannot be undone: %s',
    async ([, given], { service }) => {
      const panel = await givenPanel(service)
      const one = await given(service)
      await drain(service)
      const [before, told] = [await one.state(), (await automaticMessages(service.deps)).length]
      const id = await made(panel, one)
      await service.clock.tick(UNDO_MS)
      expectError(await panel.post(`/decisions/${id}/undo`), 409, 'INVALID_STATE')
      expect(await one.state()).toEqual(before)
      await drain(service)
      expect(await one.state()).not.toEqual(before)
      expect(await readRequest(service, id)).toEqual({})
      const news = (await automaticMessages(service.deps)).slice(told).flatMap(({ to }) => to)
      expect(new Set(news)).toEqual(new Set(one.told))
      expect(await readStatus(panel, id)).toMatchObject({ status: 'done', error: null })
      expectError(await panel.post(`/decisions/${id}/undo`), 409, 'INVALID_STATE')
    },
  )

  test('keeps its own five seconds, however many are made after it', async ({ service }) => {
    const panel = await givenPanel(service)
    const ids: number[] = []
    for (let count = 0; count < 5; count++) {
      ids.push(await made(panel, await givenVerification(service, 'mark-product-verified', {})))
      await service.clock.tick(1_000)
    }
    const undone = await Promise.all(ids.map((id) => panel.post(`/decisions/${id}/undo`)))
    expect(undone.map(({ statusCode }) => statusCode)).toEqual([409, 200, 200, 200, 200])
  })

  test('is carried out once by many workers', async ({ service }) => {
    await drain(service)
    const panel = await givenPanel(service)
    const cases = await Promise.all(
      Array.from({ length: 6 }, () => givenVerification(service, 'mark-product-verified', {})),
    )
    for (const one of cases) await made(panel, one)
    const told = (await automaticMessages(service.deps)).length
    await service.clock.tick(UNDO_MS)
    await Promise.all(Array.from({ length: 3 }, () => carryOutDueDecisions(service.deps)))
    expect(await automaticMessages(service.deps)).toHaveLength(told + cases.length)
  })

  test('is refused at once for what its own call refuses', async ({ service }) => {
    const panel = await givenPanel(service)
    const one = await givenVerification(service, 'reject-product', REASON)
    expect((await panel.post(one.path, { ...REASON })).statusCode).toBe(200)
    expectError(await panel.post(`${one.path}?undoable=true`, { ...REASON }), 409, 'INVALID_STATE')
    const other = await givenVerification(service, 'reject-product', REASON)
    expectError(await panel.post(`${other.path}?undoable=true`, { ...REASON, revision: 99 }), 412, 'STALE_VERSION')
    expectError(await panel.post('/mark-product-verified/999999999?undoable=true'), 404, 'NOT_FOUND')
  })

  test('is carried out later when another transaction is in its way', async ({ service }) => {
    const { clock, deps } = service
    const panel = await givenPanel(service)
    const one = await givenVerification(service, 'mark-product-verified', {})
    const id = await made(panel, one)
    await clock.tick(UNDO_MS)
    const held = await hold(service, `select from products where product_id = ${one.path.split('/').at(-1)} for update`)
    const carrying = carryOutDueDecisions(deps)
    await held.untilWaiting(1)
    await sql`
      select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(deps.db)
    await carrying
    expect(await readStatus(panel, id)).toMatchObject({ status: 'waiting' })
    await held.commit()
    await clock.tick(UNDO_MS)
    await carryOutDueDecisions(deps)
    expect(await readStatus(panel, id)).toMatchObject({ status: 'done', error: null })
  })

  test('about a product that changes meanwhile fails, says why, and changes nothing', async ({ service }) => {
    const panel = await givenPanel(service)
    const one = await givenVerification(service, 'mark-product-verified', { revision: 1 })
    const id = await made(panel, one)
    const productId = Number(one.path.split('/').at(-1))
    await service.deps.db.updateTable('products').set({ revision: 2 }).where('product_id', '=', productId).execute()
    await service.clock.tick(UNDO_MS)
    await drain(service)
    expect(await readStatus(panel, id)).toMatchObject({ status: 'failed', error: expect.stringMatching(/changed/) })
    expect(await one.state()).toEqual({ verification: 'pending' })
    expect(await audited(panel, 'decision.fail')).toBeGreaterThan(0)
  })

  test('of somebody who has lost the right meanwhile changes nothing', async ({ service }) => {
    const panel = await givenPanel(service, 'moderator')
    const one = await givenVerification(service, 'mark-product-verified', {})
    await made(panel, one)
    await setRole(service, panel.user, 'analyst')
    await service.clock.tick(UNDO_MS)
    await drain(service)
    expect(await one.state()).toEqual({ verification: 'pending' })
  })

  test('is its author’s alone to undo, and keeps others from deciding meanwhile', async ({ service }) => {
    const [panel, other] = [await givenPanel(service, 'moderator'), await givenPanel(service, 'moderator')]
    const one = await givenVerification(service, 'mark-product-verified', {})
    const answers = await Promise.all([panel, panel].map((by) => by.post(`${one.path}?undoable=true`)))
    expect(tally(answers)).toEqual({ 202: 1, 409: 1 })
    const { id } = answers.find(({ statusCode }) => statusCode === 202)!.json<{ data: { id: number } }>().data
    expectError(await other.post(`/decisions/${id}/undo`), 404, 'NOT_FOUND')
    expectError(await other.post(one.path), 409, 'CONFLICT')
    expectError(await other.post(`/desk/verification/${one.path.split('/').at(-1)}`), 409, 'CONFLICT')
    expect((await panel.post(`/decisions/${id}/undo`)).statusCode).toBe(200)
    expect((await other.post(one.path)).statusCode).toBe(200)
  })
})

async function setRole({ deps }: Service, { userId }: GivenUser, role: 'analyst'): Promise<void> {
  await deps.db.updateTable('users').set({ role }).where('user_id', '=', userId).execute()
}
