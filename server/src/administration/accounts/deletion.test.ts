import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { calmDown, readCopies, expectTruth, send, untilRetry, usersWithPhones } from '../../../test/support/campaign.ts'
import { countStatuses } from '../../../test/support/counts.ts'
import { drain } from '../../../test/support/drain.ts'
import { automaticMessages, givenProduct, givenProposal } from '../../../test/support/marketplace.ts'
import { givenPanel, type Panel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'
import type { Deps } from '../../deps.ts'
import { findHistory } from '../../marketplace/history/history.ts'
import { reactivateUsers } from './market-access.ts'

const DAY_MS = 86_400_000

/** Each way in which an administrator takes somebody off the market, and back. */
const WAYS = [
  [
    'deleting',
    (panel: Panel, id: number) => panel.delete(`/user/${id}`),
    (panel: Panel, id: number) => panel.post(`/user/${id}/restore`),
  ],
  ['suspending', setStatus('suspended'), setStatus('active')],
  ['banning', setStatus('banned'), setStatus('active')],
] as const

describe.for(WAYS)('%s a user', ([, away, back]) => {
  test('ends their sessions at once', async ({ service }) => {
    const panel = await givenPanel(service)
    const user = await service.given.user()
    const call = () => service.app.inject({ url: '/api/user/settings', headers: user.headers })
    expect((await call()).statusCode).toBe(200)
    expect((await away(panel, user.userId)).statusCode).toBe(200)
    expect((await call()).statusCode).toBe(401)
    expect((await back(panel, user.userId)).statusCode).toBe(200)
    expect((await call()).statusCode).toBe(401)
  })

  test('stops the pushes of a running campaign at once: of batches that wait, and of retries', async ({ service }) => {
    const panel = await givenPanel(service)
    await drain(service)
    const people = await usersWithPhones(service, 3)
    const [tried, waiting] = people.map(({ userId }) => userId)
    const phone = people[2]?.devices[0]?.id
    service.simulator.script([{ match: 'send', ticketErrors: { 0: 'MessageRateExceeded', 1: 'MessageRateExceeded' } }])
    const first = await send(service, [people[0]!, people[2]!])
    await drain(service)
    expect((await readCopies(service, first)).map(({ is_send }) => is_send)).toEqual([false, false])
    const second = await send(service, [people[1]!, people[2]!])
    for (const userId of [tried!, waiting!]) expect((await away(panel, userId)).statusCode).toBe(200)
    await untilRetry(service)
    await drain(service)
    expect(await sentTo(service, first)).toEqual([phone])
    expect(await sentTo(service, second)).toEqual([phone])
    for (const messageId of [first, second]) await expectTruth(service, messageId)
    await calmDown(service)
  })

  test('hides their products, closes their open swaps, and notifies the other side', async ({ service }) => {
    const panel = await givenPanel(service)
    const { requester, owner, offered, swapId } = await givenProposal(service)
    const draft = await givenProduct(service.deps, requester, { status: 'draft' })
    await away(panel, requester.userId)
    expect(await hidden(service.deps, [offered, draft])).toEqual([true, true])
    const swap = await service.deps.db
      .selectFrom('swaps')
      .selectAll()
      .where('swap_id', '=', swapId)
      .executeTakeFirstOrThrow()
    expect(swap.status).toBe('invalidated')
    expect(await findHistory(service.deps.db, 'swap', swapId)).toMatchObject([{ to_state: 'invalidated' }, {}])
    const told = (await automaticMessages(service.deps)).filter(({ data }) => data['transaction_id'] === swapId)
    expect(told.at(-1)).toMatchObject({ to: [owner.userId], data: { status: 'invalidated' } })
    await back(panel, requester.userId)
    expect(await hidden(service.deps, [offered, draft])).toEqual([false, false])
    const after = await service.deps.db
      .selectFrom('swaps')
      .select('status')
      .where('swap_id', '=', swapId)
      .executeTakeFirstOrThrow()
    expect(after.status).toBe('invalidated')
  })
})

describe('deleting a user', () => {
  test('says until when they can be restored, and restoring brings them back', async ({ service, clock }) => {
    const panel = await givenPanel(service)
    const { userId: id, email } = await service.given.user()
    const deleted = await panel.delete(`/user/${id}`)
    expect(deleted.json().data).toEqual({
      id,
      deleted_at: new Date(clock.now()).toISOString(),
      restorable_until: new Date(clock.now() + 30 * DAY_MS).toISOString(),
    })
    expect((await panel.get(`/users?search=${email}`)).json().data).toEqual([])
    expect((await panel.get(`/users?deleted=only&search=${email}`)).json().data).toMatchObject([{ id }])
    expect((await panel.patch('/user-update', { id, name: 'Ghost' })).statusCode).toBe(404)
    const restored = await panel.post(`/user/${id}/restore`)
    expect(restored.json().data).toMatchObject({
      id,
      deleted_at: null,
      restorable_until: null,
      version: 3,
      status: 'active',
    })
    expect(restored.headers['etag']).toBe('"v3"')
    const { history } = (await panel.get(`/user-profile?id=${id}`)).json().data
    expect(history).toMatchObject([
      { from_state: 'deleted', to_state: 'active' },
      { from_state: 'active', to_state: 'deleted', actor_id: panel.user.userId },
    ])
    const actions = (await panel.get(`/audit-log?entity=user&entity_id=${id}`)).json().data
    expect(actions.map((entry: { action: string }) => entry.action)).toEqual(['user.restore', 'user.delete'])
  })

  test('is 404 for an unknown or deleted account, 409 for one’s own, 403 for one of the same role', async ({
    service,
  }) => {
    const panel = await givenPanel(service)
    const { userId } = await service.given.user()
    const peer = await service.given.admin()
    const readStatus = async (id: number | string) => (await panel.delete(`/user/${id}`)).statusCode
    expect(await readStatus(userId)).toBe(200)
    expect(await readStatus(userId)).toBe(404)
    expect(await readStatus(999_999_999)).toBe(404)
    expect(await readStatus('me')).toBe(422)
    expect(await readStatus(panel.user.userId)).toBe(409)
    expect(await readStatus(peer.userId)).toBe(403)
    const readRestore = async (id: number) => (await panel.post(`/user/${id}/restore`)).statusCode
    expect(await readRestore(999_999_999)).toBe(404)
    expect(await readRestore(panel.user.userId)).toBe(403)
    const { userId: present } = await service.given.user()
    expect((await panel.post(`/user/${present}/restore`)).json()).toMatchObject({ code: 'INVALID_STATE' })
  })

  test('deletes once for fifty calls at once, and completely while others change the account', async ({ service }) => {
    const panel = await givenPanel(service)
    const { userId: id } = await service.given.user()
    const deletions = await Promise.all(Array.from({ length: 50 }, () => panel.delete(`/user/${id}`)))
    expect(countStatuses(deletions)).toEqual({ 200: 1, 404: 49 })
    const { userId: other } = await service.given.user()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        n % 2 === 0 ? panel.delete(`/user/${other}`) : panel.patch('/user-update', { id: other, city: `City ${n}` }),
      ),
    )
    expect(Object.keys(countStatuses(answers)).toSorted()).toEqual(['200', '404'])
    const { data } = (await panel.get(`/user-profile?id=${other}`)).json()
    expect(data.deleted_at).not.toBeNull()
    const changes = answers.filter(({ statusCode }) => statusCode === 200).length
    expect(data.version).toBe(1 + changes)
  })

  test('is final after 30 days: the account cannot be restored', async ({ service, clock }) => {
    const panel = await givenPanel(service)
    const { userId: id } = await service.given.user()
    await panel.delete(`/user/${id}`)
    const accounts = service.deps.db.updateTable('users').set({ purge_after: new Date(clock.now()) })
    await accounts.where('user_id', '=', id).execute()
    expect((await panel.post(`/user/${id}/restore`)).json()).toMatchObject({ code: 'INVALID_STATE' })
  })
})

test('a suspension ends when its time is over, and the products are shown again', async ({ service, clock }) => {
  const panel = await givenPanel(service)
  const [user, other] = [await service.given.user(), await service.given.user()]
  const product = await givenProduct(service.deps, user)
  const suspended_until = new Date(clock.now() + DAY_MS).toISOString()
  await panel.patch('/user-update', { id: user.userId, status: 'suspended', suspended_until, status_reason: 'Spam' })
  await panel.patch('/user-update', { id: other.userId, status: 'suspended' })
  expect(await reactivateUsers(service.deps)).toBe(0)
  const tomorrow = { now: () => clock.now() + DAY_MS }
  expect(await reactivateUsers({ ...service.deps, clock: tomorrow })).toBe(1)
  const { data } = (await panel.get(`/user-profile?id=${user.userId}`)).json()
  expect(data).toMatchObject({ status: 'active', status_reason: null, suspended_until: null, version: 3 })
  expect(data.history[0]).toMatchObject({
    from_state: 'suspended',
    to_state: 'active',
    actor: 'system',
    actor_id: null,
  })
  expect(await hidden(service.deps, [product])).toEqual([false])
  expect((await panel.get(`/user-profile?id=${other.userId}`)).json().data.status).toBe('suspended')
})

function setStatus(status: string) {
  return (panel: Panel, id: number) => panel.patch('/user-update', { id, status })
}

async function hidden({ db }: Deps, productIds: number[]): Promise<boolean[]> {
  const rows = await db
    .selectFrom('products')
    .select('hidden_at')
    .where('product_id', 'in', productIds)
    .orderBy('product_id')
    .execute()
  return rows.map((row) => row.hidden_at !== null)
}

async function sentTo(service: Service, messageId: number): Promise<number[]> {
  const copies = await readCopies(service, messageId)
  return copies.filter((copy) => copy.is_send).map((copy) => copy.mobile_devices_id)
}
