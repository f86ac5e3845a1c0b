// Slow: a second or more for each test, or five for the file.
import { expect, onTestFinished, test as base } from 'vitest'
import { startWebPush, type WebPushDouble } from '../../../../simulator/src/web-push/web-push.ts'
import { expectApproval, call } from '../../../test/support/approvals.ts'
import { givenPanel, type Panel } from '../../../test/support/panel.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import { entryFor } from '../../../test/support/web-push.ts'
import { deleteExpiredSessions } from '../../identity/sessions/sessions.queries.ts'
import type { Role, UserStatus } from '../../platform/tables/tables.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { raiseAlert } from '../../push/records/alerts.queries.ts'
import { tellBrowsers } from './browsers.ts'

type World = { service: Service; browsers: WebPushDouble }

/** A service that pushes to browsers, and the push service of one vendor. */
const test = base.extend<'world', World>('world', { scope: 'file' }, async ({}, { onCleanup }) => {
  const browsers = await startWebPush()
  const service = await startService({
    APPROVALS: ['sends'],
    APPROVAL_RECIPIENTS: 2,
    PUSH_PROVIDERS_FILE: [entryFor(browsers)],
  })
  onCleanup(async () => {
    await service.close()
    await browsers.close()
  })
  return { service, browsers }
})

test('a browser that registered is told once of each alert that is new, and of nothing but that something waits', async ({
  world,
}) => {
  await raise(world, 'Before')
  const { to } = await register(world)
  await tell(world)
  expect(pushesTo(world, to)).toEqual([])
  await raise(world, 'WorkLost')
  await tell(world)
  await tell(world)
  expect(pushesTo(world, to).map(({ text }) => JSON.parse(text!) as unknown)).toEqual([
    {
      title: 'Swapbell',
      body: 'Something waits for you in the administration.',
      tag: 'staff.waiting',
      notification_id: expect.any(Number),
      data: { link: '/' },
    },
  ])
  await raise(world, 'ProviderDown')
  await tell(world)
  expect(pushesTo(world, to)).toHaveLength(2)
})

test('a request for approval is told to who may approve, an alert to who may send, and neither to others', async ({
  world,
}) => {
  const { to: ofAdmin, panel } = await register(world)
  const { to: ofModerator } = await register(world, 'moderator')
  for (let n = 0; n < 3; n++) await world.service.given.user({ devices: [{}] })
  await raise(world, 'MailsLate')
  await tell(world)
  await world.service.clock.setTime(world.service.clock.now() + 1_000)
  await expectApproval(
    world.service,
    panel,
    call(world.service, panel, 'send-notification-all', { title: 'A', text: 'B' }),
  )
  await tell(world)
  expect(pushesTo(world, ofAdmin)).toHaveLength(2)
  expect(pushesTo(world, ofModerator)).toEqual([])
})

test.for<[string, (world: World, panel: Panel) => Promise<unknown>]>([
  ['a sign-out', (_, panel) => panel.delete('/session')],
  ['a suspension', (world, panel) => change(world, panel, { status: 'suspended' })],
  ['a deletion', (world, panel) => change(world, panel, { deleted_at: fromNow(world.service.clock) })],
  ['a change of role', (world, panel) => change(world, panel, { role: 'moderator' })],
])('a registration does not outlive %s', async ([, end], { world }) => {
  const { to, panel } = await register(world)
  await end(world, panel)
  await raise(world, `After ${to.slice(-9)}`)
  await tell(world)
  expect(pushesTo(world, to)).toEqual([])
})

test('a registration outlives the end of the twelve hours, and the row of the session', async ({ world }) => {
  const { to, panel } = await register(world)
  const { db } = world.service.deps
  await db.deleteFrom('sessions').where('user_id', '=', panel.user.userId).execute()
  await raise(world, 'Later')
  await tell(world)
  expect(pushesTo(world, to)).toHaveLength(1)
})

test('a registration does not outlive a sign-out whose session nobody looked at before it was old', async ({
  world,
}) => {
  const { to, panel } = await register(world)
  const { db } = world.service.deps
  expect((await panel.delete('/session')).statusCode).toBe(200)
  const later = new Date(world.service.clock.now() + 4_000 * 86_400_000)
  await deleteExpiredSessions(db, later)
  await raise(world, 'Old')
  await tell(world)
  expect(pushesTo(world, to)).toEqual([])
  await deleteExpiredSessions(db, later)
  const ended = db.selectFrom('sessions').select('session_id').where('revoked_at', 'is not', null)
  expect(await ended.where('user_id', '=', panel.user.userId).execute()).toEqual([])
})

test('a browser that is gone is forgotten, and one whose push service is busy is told later', async ({ world }) => {
  const { to } = await register(world)
  await raise(world, 'Busy')
  world.browsers.script([{ status: 429, times: 0 }])
  await tell(world)
  world.browsers.clearScript()
  expect(pushesTo(world, to)).toEqual([])
  await tell(world)
  expect(pushesTo(world, to)).toHaveLength(1)
  world.browsers.unsubscribe(to)
  await raise(world, 'Gone')
  await tell(world)
  const tokens = await world.service.deps.db.selectFrom('staff_browsers').select('token').execute()
  expect(tokens.map(({ token }) => token)).not.toContain(to)
})

test('a browser registers again at each start, in any form, and is of who registered it last', async ({ world }) => {
  const { to, panel } = await register(world)
  const { endpoint, keys } = JSON.parse(to) as { endpoint: string; keys: object }
  const other = await givenPanel(world.service, 'moderator')
  const answer = await other.post('/browser', { token: JSON.stringify({ keys, expirationTime: null, endpoint }) })
  expect(answer.statusCode).toBe(200)
  const rows = world.service.deps.db.selectFrom('staff_browsers').select(['user_id', 'role']).where('token', '=', to)
  expect(await rows.execute()).toEqual([{ user_id: other.user.userId, role: 'moderator' }])
  expect(panel.user.userId).not.toBe(other.user.userId)
})

test('what is no subscription of a known push service is refused', async ({ world }) => {
  const panel = await givenPanel(world.service)
  const to = JSON.parse(world.browsers.subscribe()) as object
  for (const token of ['a', '{}', JSON.stringify({ ...to, endpoint: 'https://10.0.0.1/push/a' })])
    expect((await panel.post('/browser', { token })).statusCode).toBe(422)
})

test('a service that pushes to no browsers gives no key, and registers none', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  const panel = await givenPanel(service)
  expect((await panel.get('/browser')).json()).toMatchObject({ data: { public_key: null } })
  expect((await panel.post('/browser', { token: 'a' })).statusCode).toBe(409)
})

async function register({ service, browsers }: World, role: Role = 'admin') {
  const panel = await givenPanel(service, role)
  const { data } = (await panel.get('/browser')).json<{ data: { public_key: string } }>()
  const to = browsers.subscribe({ applicationServerKey: data.public_key })
  expect((await panel.post('/browser', { token: to })).statusCode).toBe(200)
  return { panel, to }
}

/** Each comes later than all before it. */
async function raise({ service }: World, code: string): Promise<void> {
  await service.clock.setTime(service.clock.now() + 1_000)
  await raiseAlert(service.deps.db, { code, detail: 'Secret detail.' }, fromNow(service.clock))
  await service.clock.setTime(service.clock.now() + 1_000)
}

function tell({ service }: World): Promise<void> {
  return tellBrowsers(service.deps)
}

function pushesTo({ browsers }: World, to: string) {
  const { endpoint } = JSON.parse(to) as { endpoint: string }
  return browsers.log().filter((push) => push.endpoint === endpoint)
}

function change({ service }: World, { user }: Panel, to: { role?: Role; status?: UserStatus; deleted_at?: Date }) {
  return service.deps.db.updateTable('users').set(to).where('user_id', '=', user.userId).execute()
}
