// Slow: random histories, or many who do the same at once.
import type { PoolClient } from 'pg'
import { afterEach, describe, expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { calmDown, readCopies, expectTruth, send, untilRetry } from '../../../test/support/campaign.ts'
import { commitWork } from '../../../test/support/commit.ts'
import { drain } from '../../../test/support/drain.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import type { Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { inWork } from '../../platform/work/work.ts'
import { removeDevices } from '../devices/devices.ts'
import { haltUnlessResumed } from '../provider/provider-state.queries.ts'
import { hasOpenAlert } from '../records/alerts.queries.ts'
import { fetchReceipts } from './receipts.ts'
import { haltForGoneDevices } from './halt.ts'

const HOUR_MS = 3_600_000

afterEach<{ service: Service }>(async ({ service }) => calmDown(service))

describe('a device that the provider reports gone is removed in the transaction that stores why', () => {
  test('by a ticket: after a crash between the two, neither is stored', async ({ service }) => {
    const user = await service.given.user({ devices: [{ token: 'ExponentPushToken[dead-a]' }] })
    const messageId = await send(service, [user])
    const hold = await holdDevice(service, user)
    const working = drain(service)
    await endWaiting(service, hold)
    expect(await readCopies(service, messageId)).toMatchObject([{ error_message: null, settled_at: null }])
    await hold.query('rollback')
    await working
    expect(await readCopies(service, messageId)).toMatchObject([{ error_message: 'DeviceNotRegistered' }])
    expect(await removedReason(service, user)).toBe('DeviceNotRegistered')
    await expectTruth(service, messageId)
  })

  test('by a receipt: a receipt that is lost with the process is fetched again', async ({ service, clock }) => {
    const user = await service.given.user({ devices: [{ token: 'ExponentPushToken[gone-a]' }] })
    const messageId = await send(service, [user])
    await drain(service)
    await clock.tick(16 * 60_000)
    const hold = await holdDevice(service, user)
    const asking = askDue(service).catch(() => 'ended')
    await endWaiting(service, hold)
    expect(await asking).toBe('ended')
    expect(await readCopies(service, messageId)).toMatchObject([{ is_delivered: null }])
    await hold.query('rollback')
    await untilRetry(service)
    await askDue(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_delivered: false }])
    expect(await removedReason(service, user)).toBe('DeviceNotRegistered')
    await expectTruth(service, messageId)
  })
})

test.for([
  ['ticket', 'ExponentPushToken[dead-b]'],
  ['receipt', 'ExponentPushToken[gone-b]'],
])(
  'a device that registers while its push is on the way is not removed by the %s',
  async ([, token = ''], { service, app, clock, simulator }) => {
    const user = await service.given.user({ devices: [{ token }] })
    const answer = Promise.withResolvers<void>()
    simulator.script([{ match: 'send', until: answer.promise }])
    await send(service, [user])
    const working = drain(service)
    await expect.poll(() => simulator.state().sendRequests).toBe(1)
    await clock.tick(10)
    const payload = { token, device_id: user.devices[0]?.deviceId, platform: 'ios' }
    await app.inject({ method: 'POST', url: '/api/user/save-phone-token', headers: user.headers, payload })
    await clock.tick(10)
    answer.resolve()
    await working
    await clock.tick(16 * 60_000)
    await askDue(service)
    expect(await removedReason(service, user)).toBeNull()
  },
)

describe('a device that is called gone while the halt for a mass of gone devices runs', () => {
  const GONE = { reason: 'DeviceNotRegistered' } as const

  test('is there in the end, when its removal is stored during the halt', async ({ service }) => {
    const { deps } = service
    const user = await service.given.user({ devices: [{}] })
    const [inUse] = deps.providers
    const gone = [{ ...GONE, deviceId: user.devices[0]!.id, sentAt: new Date(deps.clock.now() + 1) }]
    const removed = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const removing = inWork(deps, THE_SERVICE, async (work) => {
      await removeDevices(work, { provider: inUse.provider.name, gone })
      removed.resolve()
      await held.promise
    })
    await removed.promise
    const halting = haltForGoneDevices({ ...deps, ...inUse }, new Date(deps.clock.now() + 1))
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await deps.pool.query(waiting)).rowCount).toBe(1)
    held.resolve()
    await Promise.all([removing, halting])
    expect(await removedReason(service, user)).toBeNull()
  })

  test('is not removed when its removal is stored after the halt', async ({ service }) => {
    const { deps } = service
    const user = await service.given.user({ devices: [{}] })
    const [inUse] = deps.providers
    const sentAt = new Date(deps.clock.now() + 1)
    await haltForGoneDevices({ ...deps, ...inUse }, sentAt)
    const gone = [{ ...GONE, deviceId: user.devices[0]!.id, sentAt }]
    await commitWork(deps, removeDevices, { provider: inUse.provider.name, gone })
    expect(await removedReason(service, user)).toBeNull()
  })
})

describe('the devices of an alarm come back', () => {
  test('and the alert is raised, although one of them registers for another at that moment', async ({ service }) => {
    const { deps } = service
    const [first, second, other] = [
      await givenRemoved(service),
      await givenRemoved(service),
      await service.given.user(),
    ]
    const { token, deviceId } = first.devices[0]!
    const client = await deps.pool.connect()
    onTestFinished(() => client.release(true))
    await client.query(`begin`)
    await client.query(
      `insert into mobile_devices (user_id, session_id, token, device_id, platform, last_registered_at)
       select user_id, session_id, $2, $3, 'ios', $4 from sessions where user_id = $1`,
      [other.userId, token, deviceId, new Date(deps.clock.now())],
    )
    const alarm = haltForGoneDevices(deps, new Date(deps.clock.now()))
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await deps.pool.query(waiting)).rowCount).toBe(1)
    await client.query('commit')
    await alarm
    expect(await hasOpenAlert(deps.db, 'DeviceNotRegistered', 'expo')).toBe(true)
    expect(await removedReason(service, second)).toBeNull()
    expect(await removedReason(service, first)).toBe('DeviceNotRegistered')
  })

  test('within a minute, when the process that raised it did not bring them back', async ({ service, deps, clock }) => {
    const now = new Date(clock.now())
    const user = await givenRemoved(service)
    await haltUnlessResumed(deps.db, 'expo', { code: 'DeviceNotRegistered', now, aboutAt: now })
    await sweep(deps)
    expect(await removedReason(service, user)).toBeNull()
    const late = await givenRemoved(service)
    await clock.tick(HOUR_MS + 1)
    await sweep(deps)
    expect(await removedReason(service, late)).toBe('DeviceNotRegistered')
  })
})

describe('whatever the provider says of one phone, others get their pushes', () => {
  const CODES = ['DeviceNotRegistered', 'MessageTooBig', 'MessageRateExceeded', 'MismatchSenderId'].concat([
    'DeveloperError',
    'ExpoError',
    'ProviderError',
    'InvalidCredentials',
    'SomethingNew',
  ])

  test.for(CODES)('%s in its ticket', async (code, { service }) => {
    const faulty = await service.given.user({ devices: [{ platform: 'android' }] })
    const other = await service.given.user({ devices: [{}] })
    service.simulator.setToken(faulty.devices[0]!.token, { ticketError: code })
    await send(service, [faulty])
    await drain(service)
    const messageId = await send(service, [other])
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true, error_message: null }])
  })

  test.for(CODES)('%s in its receipt, beside another phone that is gone', async (code, { service, clock }) => {
    const faulty = await service.given.user({ devices: [{ platform: 'android' }] })
    const gone = await service.given.user({ devices: [{ token: `ExponentPushToken[gone-${code}]` }] })
    const other = await service.given.user({ devices: [{}] })
    service.simulator.setToken(faulty.devices[0]!.token, { receipt: `error:${code}` })
    const first = await send(service, [faulty, gone])
    await drain(service)
    await clock.tick(16 * 60_000)
    await askDue(service)
    expect(await readCopies(service, first)).toMatchObject([{ is_delivered: false }, { is_delivered: false }])
    expect(await removedReason(service, gone)).toBe('DeviceNotRegistered')
    const isLasting = code === 'DeviceNotRegistered' || code === 'MismatchSenderId'
    expect(await removedReason(service, faulty)).toBe(isLasting ? code : null)
    const messageId = await send(service, [other])
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true, error_message: null }])
  })
})

async function askDue({ deps }: Service): Promise<number> {
  return fetchReceipts(deps, { limit: 100, dueOnly: true }, new AbortController().signal)
}

async function givenRemoved({ deps, given }: Service): Promise<GivenUser> {
  const user = await given.user({ devices: [{}] })
  const gone = { removed_at: new Date(deps.clock.now()), removed_reason: 'DeviceNotRegistered' } as const
  await deps.db.updateTable('mobile_devices').set(gone).where('user_id', '=', user.userId).execute()
  return user
}

async function holdDevice({ deps }: Service, user: GivenUser): Promise<PoolClient> {
  const client = await deps.pool.connect()
  onTestFinished(() => client.release(true))
  await client.query(`begin; select from mobile_devices where id = ${user.devices[0]?.id ?? 0} for update`)
  return client
}

/** Waits until a session waits for the held row, and ends it, as a crash would. */
async function endWaiting({ deps }: Service, hold: PoolClient): Promise<void> {
  const waiting = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await deps.pool.query(`select ${waiting}`)).rowCount).toBe(1)
  await hold.query(`select pg_terminate_backend(pid) ${waiting}`)
  await expect.poll(async () => (await deps.pool.query(`select ${waiting}`)).rowCount).toBe(0)
}

async function removedReason({ deps }: Service, user: GivenUser): Promise<string | null | undefined> {
  const query = deps.db
    .selectFrom('mobile_devices')
    .select('removed_reason')
    .where('id', '=', user.devices[0]?.id ?? 0)
  return (await query.executeTakeFirst())?.removed_reason
}
