// Slow: two seconds or more for the file.

import { describe, expect } from 'vitest'
import { approve, expectApproval, call, test } from '../../../test/support/approvals.ts'
import { givenPanel, type Panel } from '../../../test/support/panel.ts'
import type { Service } from '../../../test/support/service.ts'
import { buildAnother } from '../../../test/support/build-app.ts'
import { declareTwoAdmins } from '../operator/operator-commands.ts'

const WEEK_MS = 7 * 24 * 3_600_000

type Change = (actor: Panel, userId: number) => Promise<{ statusCode: number }>

/** What gives an administrator the account of another one. */
const POWERS: [what: string, change: Change][] = [
  ['a password', (actor, id) => actor.patch('/user-update', { id, password: 'a long password indeed' })],
  ['an address', (actor, id) => actor.patch('/user-update', { id, email: `new-${id}@example.com` })],
  ['a role', (actor, id) => actor.patch('/user-update', { id, role: 'admin' })],
  [
    'its activity',
    async (actor, id) => {
      await actor.patch('/user-update', { id, status: 'suspended' })
      return actor.patch('/user-update', { id, status: 'active' })
    },
  ],
  [
    'its restoration',
    async (actor, id) => {
      await actor.delete(`/user/${id}`)
      return actor.post(`/user/${id}/restore`)
    },
  ],
]

describe('Two administrators, of whom one gave the other', () => {
  test.for(POWERS)('%s, do not approve for each other', async ([, change], { service }) => {
    const { actor, subject } = await givenTied(service, change)
    await expectTied(service, actor, subject)
    await expectTied(service, subject, actor)
  })

  test('an account, do not approve for each other', async ({ service }) => {
    const { actor, subject } = await givenTied(service, async (panel, id) => {
      const made = { email: `made-${id}@example.com`, name: 'Made', password: 'a long password indeed', role: 'admin' }
      return panel.post('/admin/create-user', made)
    })
    const { user_id: userId } = await service.deps.db
      .selectFrom('users')
      .select('user_id')
      .where('email', '=', `made-${subject.user.userId}@example.com`)
      .executeTakeFirstOrThrow()
    const made = await signedInAs(service, subject, userId)
    await expectTied(service, actor, made)
    await expectTied(service, made, actor)
  })

  test('its account through a third one, or both of whom a third one gave them, do not approve for each other', async ({
    service,
  }) => {
    const [, password] = POWERS[0]!
    const { actor, subject } = await givenTied(service, password)
    const [next, sibling] = [await givenPanel(service, 'super_admin'), await givenPanel(service, 'super_admin')]
    await changed(service, subject, next.user.userId, password)
    await changed(service, actor, sibling.user.userId, password)
    const [last, beside] = [await again(service, next), await again(service, sibling)]
    await expectTied(service, actor, last)
    await expectTied(service, last, actor)
    await expectTied(service, beside, subject)
    await expectTied(service, beside, last)
    const say = (one: Panel, other: Panel) =>
      declareTwoAdmins(service.deps, { emails: [one.user.email, other.user.email], operator: 'root' })
    expect(await say(beside, last)).toMatchObject({ areFree: false })
    await expectTied(service, beside, last)
    expect(await say(actor, beside)).toMatchObject({ areFree: true })
    expect(await decided(service, beside, last)).toBe('approved')
    expect(await decided(service, subject, beside)).toBe('approved')
    await expectTied(service, actor, last)
  })

  test('a password, approve for each other after a week', async ({ service, onTestFinished }) => {
    const { actor, subject } = await givenTied(service, POWERS[0]![1])
    await expectTied(service, actor, subject)
    const before = service.clock.now()
    onTestFinished(() => service.clock.setTime(before))
    await service.clock.setTime(before + WEEK_MS)
    const [later, other] = [await again(service, actor), await again(service, subject)]
    expect(await decided(service, later, other)).toBe('approved')
  })

  test('a password, approve for each other when the operator says that they are two people', async ({ service }) => {
    const { actor, subject } = await givenTied(service, POWERS[0]![1])
    const emails: [string, string] = [actor.user.email, subject.user.email]
    expect(await declareTwoAdmins(service.deps, { emails, operator: 'root' })).toMatchObject({ areFree: true })
    expect(await decided(service, actor, subject)).toBe('approved')
    const entries = await service.deps.db
      .selectFrom('audit_log')
      .select('entity_id')
      .where('action', '=', 'user.two-people')
      .execute()
    const ids = entries.map((entry) => entry.entity_id)
    expect(ids).toEqual(expect.arrayContaining([actor.user.userId, subject.user.userId]))
    const nobody = declareTwoAdmins(service.deps, { emails: [emails[0], 'nobody@example.com'], operator: 'root' })
    await expect(nobody).rejects.toMatchObject({ status: 404 })
    const same = declareTwoAdmins(service.deps, { emails: [emails[0], emails[0]], operator: 'root' })
    await expect(same).rejects.toMatchObject({ status: 422 })
  })
})

async function givenTied(service: Service, change: Change): Promise<{ actor: Panel; subject: Panel }> {
  const actor = await givenPanel(service, 'super_admin')
  const { user } = await givenPanel(service, 'super_admin')
  await changed(service, actor, user.userId, change)
  return { actor, subject: await signedInAs(service, actor, user.userId) }
}

/** The change is made where nothing must be approved. */
async function changed(service: Service, actor: Panel, userId: number, change: Change): Promise<void> {
  const config = { ...service.deps.config, APPROVALS: [] }
  const { app } = await buildAnother({ ...service.deps, config })
  const headers = actor.user.headers
  const on = (method: 'POST' | 'PATCH' | 'DELETE') => (path: string, payload?: Record<string, unknown>) =>
    app.inject({ method, url: `/api/admin/v1${path}`, headers, ...(payload && { payload }) })
  const free = { ...actor, post: on('POST'), patch: on('PATCH'), delete: on('DELETE') }
  const { statusCode } = await change(free, userId)
  await app.close()
  expect(statusCode).toBeLessThan(300)
}

async function signedInAs({ deps }: Service, panel: Panel, userId: number): Promise<Panel> {
  const { email, name } = await deps.db
    .selectFrom('users')
    .select(['email', 'name'])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const { token } = await deps.sessions.open({ userId })
  const user = { userId, email, name, devices: [], headers: { authorization: `Bearer ${token}` } }
  return { ...panel, user }
}

function again(service: Service, panel: Panel): Promise<Panel> {
  return signedInAs(service, panel, panel.user.userId)
}

async function decided(service: Service, author: Panel, other: Panel): Promise<string> {
  const approval = await expectApproval(service, author, call(service, author, 'send-notification-all', CONTENT))
  const { data, code } = (await approve(service, other, approval)).json()
  return data?.status ?? code
}

async function expectTied(service: Service, author: Panel, other: Panel): Promise<void> {
  expect(await decided(service, author, other)).toBe('CONFLICT')
  expect(await decided(service, author, await givenPanel(service))).toBe('approved')
}

const CONTENT = { title: 'To all', text: 'Swap weekend' }
