// Slow: a second or more for each test.
import { sql } from 'kysely'
import { afterEach, describe, expect } from 'vitest'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { test } from '../../../test/support/app.ts'
import { calmDown, readCopies, expectTruth, send } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { holdPermits } from '../../../test/support/attempt.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import type { Service } from '../../../test/support/service.ts'
import { sweep } from '../../../test/support/sweep.ts'
import { takeFromPace } from '../provider/provider-state.queries.ts'
import { resumeByHand } from './halt.ts'
import { runOnce, sendBatches } from './submit.ts'

afterEach<{ service: Service }>(async ({ service }) => {
  await resumeByHand(service.deps, THE_SERVICE)
  await calmDown(service)
})

describe('A platform', () => {
  test('whose credentials most of the latest results refuse pauses alone, costs no attempt, and goes on when resumed', async ({
    service,
    clock,
  }) => {
    const faulty = await many(service, 12, 'ios')
    for (const { devices } of faulty)
      service.simulator.setToken(devices[0]!.token, { ticketError: 'InvalidCredentials' })
    await send(service, faulty)
    await drain(service)
    expect(await readPaused(service)).toEqual([['ios', 'InvalidCredentials']])
    expect(await readAlerts(service)).toEqual(['InvalidCredentials'])
    // An answer of the gate counts for a quarter of a second.
    await expect.poll(async () => [...(await service.deps.gate(service.deps.log)).paused]).toContain('ios')

    const [iphone, android] = [...(await many(service, 1, 'ios')), ...(await many(service, 1, 'android'))]
    const retried = (await many(service, 1, 'android'))[0]!
    const messageId = await send(service, [iphone!, android!])
    const single = await send(service, [iphone!], { promotional: false })
    await drain(service)
    await clock.tick(5 * 60_000)
    service.simulator.setToken(retried.devices[0]!.token, { ticketError: 'MessageRateExceeded' })
    const again = await send(service, [retried])
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([
      { is_send: false, attempts: 0, error_message: null, settled_at: null },
      { is_send: true, attempts: 1 },
    ])
    for (const { devices } of [...faulty, retried]) service.simulator.setToken(devices[0]!.token, {})
    await resumeByHand(service.deps, THE_SERVICE)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true, attempts: 1 }, { is_send: true }])
    expect(await readCopies(service, single)).toMatchObject([{ is_send: true, attempts: 1 }])
    // What waits for a retry waits on.
    expect(await readCopies(service, again)).toMatchObject([{ is_send: false, attempts: 1 }])
    expect(await readAlerts(service)).toEqual([])
    await expectTruth(service, messageId)
  })

  test('that pauses while a request for it waits to begin gets none of it, and the others of the request go on', async ({
    service,
  }) => {
    const { deps, simulator } = service
    const people = [...(await many(service, 1, 'ios')), ...(await many(service, 1, 'android'))]
    const messageId = await send(service, people)
    const release = holdPermits(deps.permits, deps.config.PUSH_CONCURRENCY)
    const sending = sendBatches(deps, { home: 0, lane: 'campaign', limit: 1 })
    await expect
      .poll(() => deps.pool.query('select from requests where outcome is null').then(({ rowCount }) => rowCount))
      .toBe(1)
    await pauseIos(service)
    release()
    await sending
    expect(simulator.state().sendRequests).toBe(0)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([
      { is_send: false, attempts: 0, settled_at: null },
      { is_send: true, attempts: 1 },
    ])
    await resumeByHand(deps, THE_SERVICE)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true, attempts: 1 }, { is_send: true }])
    await expectTruth(service, messageId)
  })

  test('that is paused delays no push to another platform, and what waits for it is not looked at until then', async ({
    service,
    clock,
  }) => {
    await pauseIos(service)
    const [iphone, android] = [(await many(service, 1, 'ios'))[0]!, (await many(service, 1, 'android'))[0]!]
    for (let n = 0; n < 12; n++) await send(service, [iphone], { promotional: false, title: `${n}` })
    await drain(service)
    const before = await readWork(service)
    expect(before).toHaveLength(12)
    await clock.tick(5 * 60_000 + 1_000)
    await sweep(service.deps)
    const messageId = await send(service, [android], { promotional: false })
    for (let round = 0; round < 3; round++) await runOnce(service.deps, 'transactional', new AbortController().signal)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true }])
    expect(await readWork(service)).toEqual(before)
  })

  test('that is resumed holds up no lane, while a message that waited for it is locked', async ({ service }) => {
    const { deps } = service
    await pauseIos(service)
    const messageId = await send(service, await many(service, 1, 'ios'), { promotional: false })
    await drain(service)
    const holder = await deps.pool.connect()
    await holder.query('begin')
    await holder.query('select from messages where message_id = $1 for update', [messageId])
    const resuming = resumeByHand(deps, THE_SERVICE)
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await deps.pool.query(waiting)).rowCount).toBe(1)
    const pace = { now: new Date(deps.clock.now()), pushes: 1, ratePerSecond: 500, aheadMs: 500, catchUpMs: 250 }
    const taken = deps.db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = 500`.execute(tx)
      return takeFromPace(tx, 'expo', pace)
    })
    const ended = await Promise.allSettled([taken])
    await holder.query('rollback')
    holder.release()
    await resuming
    expect(ended).toMatchObject([{ status: 'fulfilled' }])
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true }])
  })

  test('that was resumed while a claim still knew it as paused has its pushes sent after the next sweep', async ({
    service,
  }) => {
    await pauseIos(service)
    const messageId = await send(service, await many(service, 1, 'ios'), { promotional: false })
    await drain(service)
    await service.deps.db.deleteFrom('provider_platforms').execute()
    await sweep(service.deps)
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true, attempts: 1 }])
  })

  test('does not pause for what is said of one person, however often', async ({ service, clock }) => {
    const [person] = await many(service, 1, 'ios')
    service.simulator.setToken(person!.devices[0]!.token, { ticketError: 'InvalidCredentials' })
    for (let round = 0; round < 30; round++) await send(service, [person!], { title: `Round ${round}` })
    for (let attempt = 0; attempt < 5; attempt++) {
      await drain(service)
      await clock.tick(61_000)
    }
    expect(await readPaused(service)).toEqual([])
    expect(await readAlerts(service)).toEqual([])
  })

  test('of Android pauses alone when over 30 % say that the sender is wrong, and its phones come back', async ({
    service,
  }) => {
    await service.given.crowd(700)
    const { rows } = await service.deps.pool.query<{ user_id: number; token: string }>(
      `select user_id, token from mobile_devices where token like '%crowd%' and platform = 'android' order by user_id`,
    )
    for (const { token } of rows) service.simulator.setToken(token, { ticketError: 'MismatchSenderId' })
    await send(
      service,
      rows.map(({ user_id }) => ({ userId: user_id }) as GivenUser),
    )
    await drain(service)
    expect(await readPaused(service)).toEqual([['android', 'MismatchSenderId']])
    const removed = await service.deps.pool.query('select from mobile_devices where removed_at is not null')
    expect(removed.rowCount).toBe(0)
    const [iphone] = await many(service, 1, 'ios')
    const messageId = await send(service, [iphone!])
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true }])
  })
})

async function many({ given }: Service, count: number, platform: 'ios' | 'android'): Promise<GivenUser[]> {
  const users = []
  for (let n = 0; n < count; n++) users.push(await given.user({ devices: [{ platform }] }))
  return users
}

async function pauseIos({ deps }: Service): Promise<void> {
  await deps.pool.query(
    `insert into provider_platforms (provider, platform, paused_since, paused_code)
     values ('expo', 'ios', now(), 'InvalidCredentials')`,
  )
  await expect.poll(async () => [...(await deps.gate(deps.log)).paused]).toEqual(['ios'])
}

async function readWork({ deps }: Service) {
  return deps.db.selectFrom('work').selectAll().where('platform', '=', 'ios').orderBy('work_id').execute()
}

async function readPaused({ deps }: Service): Promise<unknown[]> {
  const paused = deps.db.selectFrom('provider_platforms').select(['platform', 'paused_code'])
  return (await paused.where('paused_since', 'is not', null).execute()).map(Object.values)
}

async function readAlerts({ deps }: Service): Promise<string[]> {
  const open = deps.db.selectFrom('alerts').select('code').where('resolved_at', 'is', null)
  return (await open.execute()).map(({ code }) => code)
}
