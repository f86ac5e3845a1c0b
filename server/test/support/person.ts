import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { sendSwapMessage } from '../../src/marketplace/chat/chat.ts'
import { drain } from './drain.ts'
import type { GivenUser } from './given.ts'
import { givenProduct, givenProposal } from './marketplace.ts'
import { givenPanel, type Panel } from './panel.ts'
import {
  ADDRESS,
  decidedRows,
  deskRows,
  groupRow,
  mailRows,
  MARK,
  NUMBER,
  subscriptionRow,
  type Traded,
} from './person-rows.ts'
import type { Service } from './service.ts'
import { commitAs } from './commit.ts'

export type World = {
  person: GivenUser
  other: GivenUser
  swapId: number
  reportId: number
  otherProduct: number
  groupId: number
}

/**
 * A person who left a mark wherever one can be left: over the API where it has a way, else by the rules or the rows.
 */
export async function givenPerson(service: Service): Promise<World> {
  await sql`select setval(pg_get_serial_sequence('users', 'user_id'), ${NUMBER}, false)`.execute(service.deps.db)
  const { requester: person, owner: other, offered, requested, swapId } = await givenProposal(service)
  expect(person.userId).toBe(NUMBER)
  await nameAccount(service, person)
  await marketRows(service, { person, other, swapId, offered })
  await decidedRows(service, { person, other, swapId, offered, requested })
  const reportId = await reportRow(service, person, requested)
  await userReportRows(service, person, other)
  const groupId = await groupRow(service, person)
  await subscriptionRow(service, person)
  await mailRows(service, person)
  await deskRows(service, person, other)
  await callsOfPerson(service, person, other)
  await failedLogins(service)
  await callsAboutPerson(service, person, other)
  await drain(service)
  await skippedSend(service, person)
  const otherProduct = await givenProduct(service.deps, other)
  return { person, other, swapId, reportId, otherProduct, groupId }
}

/** A message that the person gets nothing of: they had switched notifications off. */
async function skippedSend(service: Service, { userId, headers }: GivenUser): Promise<void> {
  const { app } = service
  const off = { method: 'PUT', url: '/api/user/settings', headers, payload: { notification: '0' } } as const
  expect((await app.inject(off)).statusCode).toBe(200)
  const toOneself = `/api/send-test-notification?user_id=${userId}&title=${MARK}&text=nothing`
  expect((await app.inject({ url: toOneself, headers })).statusCode).toBe(202)
  await drain(service)
}

/** What the last day before a purge may leave: files and answers that are kept for a day. */
export async function leaveOnTheLastDay(service: Service, { reportId, swapId }: World): Promise<Panel> {
  const panel = await givenPanel(service)
  const key = { 'idempotency-key': 'of-an-administrator' }
  const [about] = (await panel.get(`/report/reported-users?user_id=${NUMBER}`)).json().data
  for (const answer of [
    await panel.post(`/report/reported-product/${reportId}/assign`, {}, key),
    await panel.post(`/report/reported-users/${about.id}/assign`, {}, key),
    await panel.post(`/swap/${swapId}/messages`, { reason: 'A complaint' }, key),
  ]) {
    expect(answer).toMatchObject({ statusCode: 200 })
    expect(answer.body).toContain(MARK)
  }
  for (const format of ['csv', 'xlsx', 'ndjson'])
    expect((await panel.post(`/users-export?deleted=include&format=${format}`)).statusCode).toBe(202)
  expect((await panel.post(`/users-export?deleted=only&search=${MARK}`)).statusCode).toBe(202)
  return panel
}

async function nameAccount({ app, deps }: Service, { userId, headers }: GivenUser): Promise<void> {
  const named = { username: `${MARK}-user`, email: `${MARK}@example.com`, name: MARK }
  const about = {
    phone: MARK,
    status_reason: MARK,
    pending_email: `${MARK}@example.net`,
    password_hash: await deps.passwords.hash(MARK),
  }
  await deps.db
    .updateTable('users')
    .set({ ...named, ...about })
    .where('user_id', '=', userId)
    .execute()
  const change = { city: `${MARK} City`, avatar_url: `https://example.com/${MARK}.png` }
  const answer = await app.inject({ method: 'PATCH', url: '/api/v1/account', headers, payload: change })
  expect(answer.statusCode).toBe(200)
}

async function marketRows(
  { deps, clock }: Service,
  { person, other, swapId, offered }: Omit<Traded, 'requested'>,
): Promise<void> {
  const { db } = deps
  const at = new Date(clock.now())
  const words = { title: MARK, description: MARK, wants: MARK, city: MARK, images: JSON.stringify([MARK]) }
  await db.updateTable('products').set(words).where('product_id', '=', offered).execute()
  const { title, description, images } = words
  const { category_id } = await db
    .selectFrom('products')
    .select('category_id')
    .where('product_id', '=', offered)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('kept_revisions')
    .values({ product_id: offered, revision: 1, category_id, title, description, images })
    .execute()
  await db.updateTable('products').set({ verified_by: person.userId }).where('user_id', '=', other.userId).execute()
  await db.updateTable('swaps').set({ note: MARK }).where('swap_id', '=', swapId).execute()
  await db.updateTable('swap_rounds').set({ note: MARK }).where('swap_id', '=', swapId).execute()
  await commitAs(person, deps, sendSwapMessage, { swapId, text: MARK })
  await commitAs(other, deps, sendSwapMessage, { swapId, text: 'Hello' })
  const moved = { entity: 'swap', entity_id: swapId, to_state: 'declined', actor: 'user', at } as const
  await db
    .insertInto('state_changes')
    .values({ ...moved, user_id: other.userId, from_state: 'pending', actor_id: person.userId, note: MARK })
    .execute()
  const swap = { requester_id: other.userId, owner_id: person.userId, status: 'declined', expires_at: at } as const
  await db
    .insertInto('swaps')
    .values({ ...swap, created_at: at, updated_at: at })
    .execute()
  const pair = { first_user_id: person.userId, second_user_id: other.userId, created_at: at }
  await db.insertInto('matches').values(pair).execute()
  await db.insertInto('likes').values({ user_id: person.userId, product_id: offered, created_at: at }).execute()
}

async function reportRow({ deps, clock }: Service, { userId }: GivenUser, productId: number): Promise<number> {
  const at = new Date(clock.now())
  const about = { product_id: productId, reason: 'other', created_at: at, updated_at: at } as const
  const { report_id } = await deps.db
    .insertInto('product_reports')
    .values({ ...about, reporter_id: userId, details: MARK, resolution_note: MARK })
    .returning('report_id')
    .executeTakeFirstOrThrow()
  const decided = { status: 'dismissed', resolution_note: MARK, resolved_by: userId, resolved_at: at } as const
  await deps.db
    .insertInto('product_reports')
    .values({ ...about, ...decided, assigned_to: userId, reporter_id: null })
    .execute()
  return report_id
}

/** The person reports another, is reported, and decides a report. */
async function userReportRows({ deps, clock }: Service, person: GivenUser, other: GivenUser): Promise<void> {
  const at = new Date(clock.now())
  const about = { reason: 'other', created_at: at, updated_at: at } as const
  const decided = { status: 'dismissed', resolution_note: MARK, resolved_by: person.userId, resolved_at: at } as const
  await deps.db
    .insertInto('user_reports')
    .values([
      { ...about, user_id: other.userId, reporter_id: person.userId, details: MARK, assigned_to: person.userId },
      { ...about, user_id: person.userId, reporter_id: other.userId, details: MARK },
    ])
    .execute()
  await deps.db
    .insertInto('user_reports')
    .values({ ...about, ...decided, user_id: other.userId, reporter_id: null })
    .execute()
}

/** What the app of the person sends, with all that a caller chooses. */
async function callsOfPerson({ app, deps }: Service, person: GivenUser, other: GivenUser): Promise<void> {
  const headers = { ...person.headers, 'user-agent': MARK, 'x-request-id': MARK, 'idempotency-key': MARK }
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, payload?: object) => {
    const answer = await app.inject({ method, url, headers, remoteAddress: ADDRESS, ...(payload && { payload }) })
    expect(answer.statusCode, `${method} ${url}`).toBeLessThan(404)
  }
  const phone = { token: `ExponentPushToken[${MARK}]`, device_id: MARK, platform: 'ios' }
  await call('POST', '/api/user/save-phone-token', phone)
  await call('PUT', '/api/user/settings', { notification: '1' })
  await call('PATCH', '/api/v1/me/settings', { events: { system: false } })
  const join = { admin_user_id: other.userId, title: MARK, text: MARK, link: `swapbell://${MARK}` }
  await call('POST', '/api/send-group-join-notification', join)
  await call('GET', `/api/send-test-notification?user_id=${person.userId}&title=${MARK}&text=${MARK}`)
  await call('GET', '/api/notification')
  // Denied, twice.
  await call('GET', '/api/admin/v1/users')
  await call('GET', '/api/admin/v1/users')
  await deps.activity.flush()
}

/** One call has a wrong password, and one an address that was mistyped and is nobody's. */
async function failedLogins({ app }: Service): Promise<void> {
  for (const email of [`${MARK}@example.com`, `${MARK}@exmaple.com`]) {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/admin/v1/login',
      remoteAddress: ADDRESS,
      headers: { 'user-agent': MARK, 'x-request-id': MARK },
      payload: { email, password: 'somebody guessed this' },
    })
    expect(answer.statusCode).toBe(401)
  }
}

/** What administrators write about the person, and to them. */
async function callsAboutPerson(service: Service, person: GivenUser, other: GivenUser): Promise<void> {
  const panel = await givenPanel(service)
  const send = (payload: object) =>
    service.app.inject({
      method: 'POST',
      url: '/api/admin/send-notification',
      headers: { ...panel.user.headers, 'idempotency-key': randomUUID() },
      payload,
    })
  const named = { title: `Dear ${MARK}`, text: `${MARK}, we miss you`, data: { link: `swapbell://${MARK}` } }
  for (const promotional of [true, false])
    expect((await send({ ...named, promotional, user_ids: [person.userId] })).statusCode).toBe(202)
  const both = { title: 'To both', text: 'To both', user_ids: [person.userId, other.userId] }
  expect((await send(both)).statusCode).toBe(202)
  await panel.patch('/user-update', { id: person.userId, name: `${MARK} renamed` })
}
