import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { readApproval, approve, expectApproval, call, people, test } from './support/approvals.ts'
import { usersWithPhones } from './support/campaign.ts'
import { hold } from './support/holds.ts'
import { givenPanel, tally, type Panel } from './support/panel.ts'
import type { Service } from './support/service.ts'

const CONTENT = { title: 'Held', text: 'Between reading and writing' }
const NAMED = 'send-notification'
// No message can be stored: whoever wants to has judged already.
const NO_MESSAGE = 'lock table messages in share mode'
const CLAIM_MS = 60_000

describe('an approval beside a change of who approves', () => {
  test('waits for a change that came before, and is refused by it', async ({ service }) => {
    const [author, approver] = await people(service)
    const approval = await askedSend(service, author)
    const { userId } = approver.user
    const change = await hold(service, `update users set role = 'analyst' where user_id = ${userId}`)
    const approving = approve(service, approver, approval)
    await change.untilWaiting(1)
    await change.commit()
    expect((await approving).statusCode).toBe(403)
    expect(await readApproval(service, author, approval.id)).toMatchObject({ status: 'waiting', result: null })
  })

  test('keeps a change that came after it waiting until it is done', async ({ service }) => {
    const [author, approver] = await people(service)
    const chief = await givenPanel(service, 'super_admin')
    const approval = await askedSend(service, author)
    const messages = await hold(service, NO_MESSAGE)
    const approving = approve(service, approver, approval)
    await messages.untilWaiting(1)
    const changing = chief.patch('/user-update', { id: approver.user.userId, role: 'analyst' })
    await messages.untilWaiting(2)
    await messages.commit()
    expect(tally([await approving, await changing])).toEqual({ 200: 2 })
    expect(await readApproval(service, author, approval.id)).toMatchObject({
      status: 'approved',
      decided_by: { id: approver.user.userId },
    })
  })
})

describe('two calls with one Idempotency-Key, the second during the transaction of the first', () => {
  test('do it once: the second gets the answer of the first', async ({ service }) => {
    const { send, sent } = await keyedSend(service)
    const messages = await hold(service, NO_MESSAGE)
    const both = [send(), send()]
    await messages.untilWaiting(1)
    // Another input sees that the key is held, before the first has committed.
    expect((await send('Other words')).json().code).toBe('IDEMPOTENCY_KEY_REUSED')
    await messages.commit()
    const [first, second] = await Promise.all(both)
    expect([first!.statusCode, second!.body]).toEqual([202, first!.body])
    expect(await sent()).toBe(1)
  })

  test('do it once, though the first is so late that the second takes its claim', async ({ service }) => {
    const { send, sent } = await keyedSend(service)
    const messages = await hold(service, NO_MESSAGE)
    const first = send()
    await messages.untilWaiting(1)
    await service.clock.setTime(service.clock.now() + CLAIM_MS + 1)
    const second = send()
    await messages.untilWaiting(2)
    await messages.commit()
    expect(tally([await first, await second])).toEqual({ 202: 1, 409: 1 })
    expect((await second).statusCode).toBe(202)
    expect(await sent()).toBe(1)
  })
})

test('two sends of one administrator at the same time: the second counts whom the first reaches', async ({
  service,
}) => {
  const [author, other] = await people(service)
  const users = (await usersWithPhones(service, 3)).map(({ userId }) => userId)
  const send = (panel: Panel, ids: number[]) => call(service, panel, NAMED, { ...CONTENT, user_ids: ids })
  const messages = await hold(service, NO_MESSAGE)
  const first = send(author, users.slice(0, 2))
  await messages.untilWaiting(1)
  const second = send(author, users.slice(2))
  await messages.untilWaiting(2)
  const ofAnother = send(other, users.slice(0, 2))
  await messages.untilWaiting(3)
  await messages.commit()
  expect((await Promise.all([first, second, ofAnother])).map(({ statusCode }) => statusCode)).toEqual([202, 409, 202])
})

function askedSend(service: Service, author: Panel) {
  return expectApproval(service, author, call(service, author, 'send-notification-all', CONTENT))
}

/** A send with the same key each time, and how many messages came of it. */
async function keyedSend(service: Service) {
  const [{ user }] = await people(service)
  const [reached] = await usersWithPhones(service, 1)
  const key = randomUUID()
  const send = (text = CONTENT.text) =>
    service.app.inject({
      method: 'POST',
      url: `/api/admin/${NAMED}`,
      headers: { ...user.headers, 'idempotency-key': key },
      payload: { ...CONTENT, text, user_ids: [reached!.userId] },
    })
  const messages = service.deps.db.selectFrom('messages').select('message_id').where('sender_id', '=', user.userId)
  return { send, sent: async () => (await messages.execute()).length }
}
