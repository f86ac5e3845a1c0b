// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { readApproval, approve, expectApproval, call, people, refuse, test } from '../../../test/support/approvals.ts'
import { drain } from '../../../test/support/drain.ts'
import { givenPanel, tally, type Panel } from '../../../test/support/panel.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import type { Role } from '../../platform/tables/tables.ts'

const HOUR_MS = 3_600_000
const CONTENT = { title: 'To all', text: 'Swap weekend' }

function askedSend(service: Service, panel: Panel, path = 'send-notification-all', more: object = {}) {
  return expectApproval(service, panel, call(service, panel, path, { ...CONTENT, ...more }))
}

async function readMessages({ deps }: Service) {
  const { n } = await deps.db
    .selectFrom('messages')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

describe('A send to everyone that must be approved', () => {
  test('is done when another administrator approves it, to the users who existed when it was requested', async ({
    service,
  }) => {
    const [author, other] = await people(service)
    const before = await readMessages(service)
    const approval = await askedSend(service, author)
    expect(approval).toMatchObject({
      kind: 'send',
      status: 'waiting',
      send: { ...CONTENT, data: null, system: false, inbox_only: false, recipients: expect.any(Number) },
      asked_by: { id: author.user.userId, name: author.user.name },
    })
    expect(await readMessages(service)).toBe(before)
    const late = await service.given.user({ devices: [{}] })
    const answer = await approve(service, other, approval)
    expect([answer.statusCode, answer.json().data.status]).toEqual([200, 'approved'])
    const { notification_id: messageId } = answer.json().data.result as { notification_id: number }
    await drain(service)
    const copies = await service.deps.db
      .selectFrom('notifications')
      .select('user_id')
      .where('message_id', '=', messageId)
      .execute()
    expect(copies.length).toBeGreaterThanOrEqual(3)
    expect(copies.map((copy) => copy.user_id)).not.toContain(late.userId)
    const message = await service.deps.db
      .selectFrom('messages')
      .select(['sender_id', 'title'])
      .where('message_id', '=', messageId)
      .executeTakeFirstOrThrow()
    expect(message).toEqual({ sender_id: author.user.userId, title: CONTENT.title })
  })

  test('may be a system notification, and has an entry of who asked, who approved and what was sent', async ({
    service,
  }) => {
    const [author, other] = await people(service)
    const approval = await askedSend(service, author, 'send-system-notification', { all: true })
    const { result } = (await approve(service, other, approval)).json().data
    const actions = async (query: string) => {
      const log = await other.get(`/audit-log?${query}`)
      return log
        .json()
        .data.map((entry: { action: string; actor: { user_id: number } }) => [entry.action, entry.actor.user_id])
    }
    expect(await actions(`entity=approval&entity_id=${approval.id}`)).toEqual([
      ['approval.approve', other.user.userId],
      ['approval.ask', author.user.userId],
    ])
    expect(await actions(`entity=message&entity_id=${result.notification_id}`)).toEqual([
      ['notification.send', other.user.userId],
    ])
  })

  test('needs no approval for few or test users, and bad content is refused at once', async ({ service }) => {
    const [author] = await people(service)
    const sandbox = await call(service, author, 'send-notification-sandbox', CONTENT)
    expect(sandbox.json().data).toHaveProperty('notification_id')
    const long = await call(service, author, 'send-notification-all', { ...CONTENT, data: { link: 'javascript:1' } })
    expect(long.statusCode).toBe(422)
    const few = await startService({ APPROVALS: ['sends'], APPROVAL_RECIPIENTS: 100 })
    try {
      const sent = await call(few, await givenPanel(few), 'send-notification-all', CONTENT)
      expect(sent.json().data).toHaveProperty('notification_id')
    } finally {
      await few.close()
    }
  })

  test('is done once, also with many approvals at the same time', async ({ service }) => {
    const [author, other] = await people(service)
    const third = await givenPanel(service)
    const approval = await askedSend(service, author)
    const before = await readMessages(service)
    const answers = await Promise.all([other, third, other, third].map((panel) => approve(service, panel, approval)))
    expect(tally(answers)).toEqual({ 200: 2, 409: 2 })
    expect(await readMessages(service)).toBe(before + 1)
  })

  test('cannot be both done and refused', async ({ service }) => {
    const [author, other] = await people(service)
    const third = await givenPanel(service)
    for (let round = 0; round < 4; round++) {
      const approval = await askedSend(service, author)
      const before = await readMessages(service)
      const answers = await Promise.all([approve(service, other, approval), refuse(service, third, approval)])
      expect(tally(answers)).toEqual({ 200: 1, 409: 1 })
      const isDone = answers[0].statusCode === 200
      expect(await readMessages(service)).toBe(before + (isDone ? 1 : 0))
      expect((await readApproval(service, author, approval.id)).status).toBe(isDone ? 'approved' : 'refused')
    }
  })

  test('is not done by its author, who may withdraw it, nor after it was refused with a reason', async ({
    service,
  }) => {
    const [author, other] = await people(service)
    const approval = await askedSend(service, author)
    expect((await approve(service, author, approval)).json().code).toBe('CONFLICT')
    expect((await refuse(service, author, approval)).statusCode).toBe(200)
    expect((await approve(service, other, approval)).json().code).toBe('INVALID_STATE')
    const second = await askedSend(service, author)
    const refused = await refuse(service, other, second, { reason: 'Too many pushes this week' })
    expect(refused.json().data).toMatchObject({ status: 'refused', reason: 'Too many pushes this week', result: null })
    expect((await approve(service, other, second)).json().code).toBe('INVALID_STATE')
    expect((await refuse(service, other, second)).statusCode).toBe(200)
  })

  test('is not done once it has expired, and says so', async ({ service }) => {
    const [author, other] = await people(service)
    const approval = await askedSend(service, author)
    await service.clock.setTime(service.clock.now() + 24 * HOUR_MS)
    const [, late] = await people(service)
    expect((await approve(service, late, approval)).json().code).toBe('INVALID_STATE')
    expect((await readApproval(service, late, approval.id)).status).toBe('expired')
    const expired = await service.app.inject({ url: '/api/admin/approvals?status=waiting', headers: late.user.headers })
    expect(expired.json<{ data: { id: number }[] }>().data.map(({ id }) => id)).not.toContain(approval.id)
    expect(other).toBeDefined()
  })

  test('is not done with another pin, nor when its text was changed in the database', async ({ service }) => {
    const [author, other] = await people(service)
    const approval = await askedSend(service, author)
    const before = await readMessages(service)
    expect((await approve(service, other, { ...approval, pin: 'a'.repeat(64) })).json().code).toBe('CONFLICT')
    const request = JSON.stringify({
      audience: { kind: 'all', upTo: 9 },
      content: { title: 'Other', text: 'words' },
      lane: 'campaign',
      origin: 'bulk',
      recipients: 3,
    })
    await service.deps.db.updateTable('approvals').set({ request }).where('approval_id', '=', approval.id).execute()
    expect((await approve(service, other, approval)).json().code).toBe('CONFLICT')
    expect(await readMessages(service)).toBe(before)
  })

  test.for<[string, { role?: Role; status?: 'suspended'; deleted_at?: Date }]>([
    ['demoted', { role: 'analyst' }],
    ['suspended', { status: 'suspended' }],
    ['deleted', { deleted_at: new Date(0) }],
  ])('is not done when its author or its approver was %s meanwhile', async ([, change], { service }) => {
    for (const whose of [0, 1]) {
      const both = await people(service)
      const approval = await askedSend(service, both[0])
      // The session of the approver is cached for a second: the account in the database counts.
      await readApproval(service, both[1], approval.id)
      const { userId } = both[whose]!.user
      await service.deps.db.updateTable('users').set(change).where('user_id', '=', userId).execute()
      expect((await approve(service, both[1], approval)).statusCode).toBe(whose === 0 ? 409 : 403)
      expect((await readApproval(service, await givenPanel(service), approval.id)).status).toBe('waiting')
    }
  })

  test('is for administrators to see and decide, and is forgotten after 90 days', async ({ service }) => {
    const [author] = await people(service)
    const approval = await askedSend(service, author)
    for (const role of ['moderator', 'analyst', 'user'] as const)
      expect((await approve(service, await givenPanel(service, role), approval)).statusCode).toBe(403)
    expect((await call(service, author, 'approvals/999999/approve', { pin: approval.pin })).statusCode).toBe(404)
    await service.clock.setTime(service.clock.now() + 91 * 24 * HOUR_MS)
    await sweep(service.deps)
    expect(await service.deps.db.selectFrom('approvals').selectAll().execute()).toEqual([])
  })
})
