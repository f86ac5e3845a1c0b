// Slow: a second or more for each test, or five for the file.
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createHandlers } from '../src/handlers.ts'
import { unlessAway } from '../src/platform/db/homes.ts'
import { createContact } from '../src/platform/jobs/contact.ts'
import type { Lane } from '../src/platform/tables/tables.ts'
import { startPoller } from '../src/push/pipeline/poller.ts'
import { runOnce } from '../src/push/pipeline/submit.ts'
import { listNewerBadges } from '../src/push/badges/badges.queries.ts'
import { eachHome, toHome } from '../src/push/records/home.queries.ts'
import { completeFinishedMessages } from '../src/push/records/messages.queries.ts'
import { claimEach } from './support/attempt.ts'
import { calmDown, expectTruth, send, untilRetry } from './support/campaign.ts'
import { openDividedWorld, type DividedWorld } from './support/divided-world.ts'
import { drain } from './support/drain.ts'
import type { GivenUser } from './support/given.ts'
import { givenProduct } from './support/marketplace.ts'

const NAMES_HOMES = /its homes \(\d+(, \d+)*\)/
const NOTHING_WAITS = { lanes: new Map(), badges: () => undefined, ahead: () => undefined, hears: () => true }

const CITUS_URL = process.env['CITUS_URL'] ?? ''

describe.skipIf(CITUS_URL === '')('while a worker of a Citus is away (skipped unless CITUS_URL names one)', () => {
  let world: DividedWorld
  let { database, link, service, lost, other, homes } = {} as DividedWorld

  beforeAll(async () => {
    world = await openDividedWorld(CITUS_URL)
    ;({ database, link, service, lost, other, homes } = world)
  })

  beforeEach(() => calmDown(service))

  afterEach(() => link.flow())

  afterAll(() => world.close())

  const ask = (url: string, { headers }: Pick<GivenUser, 'headers'>, payload?: object) =>
    service.app.inject({ method: payload ? 'POST' : 'GET', url, headers, ...(payload && { payload }) })

  /** Until nothing is left but what waits for the server. */
  const sendWhatCan = async (lane: Lane) => {
    const { signal } = new AbortController()
    while ((await unlessAway(service.deps.db, runOnce(service.deps, lane, signal), 'idle')) !== 'idle');
  }

  const tokensSent = () => service.simulator.log().map(({ token }) => token)

  const UNAVAILABLE = {
    statusCode: 503,
    headers: { 'retry-after': '5' },
  }

  test('a message is not over while its server has not heard that it has all its batches', async () => {
    const { db } = service.deps
    const messageId = await send(service, [lost])
    const home = toHome(db, lost.userId)
    await sql`delete from work where home = ${sql.raw(String(home))} and message_id = ${messageId}`.execute(db)
    const complete = async () => {
      await completeFinishedMessages(db, [messageId], new Date())
      const { rows } = await sql<{ status: string }>`
        select status from messages where message_id = ${messageId}`.execute(db)
      return rows[0]?.status
    }
    // As between the commits of the coordinator and of the worker.
    await changeAtWorker(database, messageId, 'null')
    expect(await complete()).not.toBe('completed')
    await changeAtWorker(database, messageId, 'created_at')
    expect(await complete()).toBe('completed')
  })

  test('a person of its homes gets 503 with a code and when to ask again, and others are served', async () => {
    link.down()
    const calls: [string, object?][] = [
      ['/api/v1/inbox'],
      ['/api/v1/badge'],
      ['/api/notification'],
      ['/api/v1/inbox/seen', {}],
    ]
    for (const [url, payload] of calls) {
      const refused = await ask(url, lost, payload)
      expect.soft(refused, url).toMatchObject({ ...UNAVAILABLE })
      expect.soft(refused.json(), url).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      expect.soft((await ask(url, other, payload)).statusCode, url).toBe(200)
    }
    const known = [lost, other].map(({ userId }) => ({ userId, version: -1 }))
    await expect(listNewerBadges(service.deps.db, known)).resolves.toBeInstanceOf(Array)
  })

  test.each(['transactional', 'campaign'] as const)(
    'pushes of the lane %s reach people of other homes, and then its own',
    async (lane) => {
      const messageId = await send(service, [lost, other], { promotional: lane === 'campaign' })
      link.down()
      // The lane pauses for a second after a round that fails.
      await expect(runOnce(service.deps, lane, new AbortController().signal)).resolves.toBe('worked')
      expect(tokensSent()).toEqual([other.devices[0]!.token])
      link.flow()
      await drain(service)
      expect(tokensSent()).toEqual([other.devices[0]!.token, lost.devices[0]!.token])
      await expectTruth(service, messageId)
    },
  )

  test('a push that is to be tried again is kept', async () => {
    service.simulator.script([{ match: 'send', status: 429 }])
    const messageId = await send(service, [other], { promotional: false })
    link.down()
    await sendWhatCan('transactional')
    await untilRetry(service)
    await calmDown(service)
    await sendWhatCan('transactional')
    expect(tokensSent()).toEqual([other.devices[0]!.token])
    link.flow()
    await expectTruth(service, messageId)
  })

  test('what writes a message is refused, and nothing of it is stored', async () => {
    const admin = await service.given.admin()
    const products = [await givenProduct(service.deps, other), await givenProduct(service.deps, lost)]
    const proposal = { offered: [products[0]], requested: [products[1]] }
    const campaign = { title: 'Hello', text: 'There' }
    const messageId = await send(service, [lost, other])
    const count = async () =>
      (await sql`select from messages union all select from swaps`.execute(service.deps.db)).rows.length
    const before = await count()
    link.down()
    expect(await ask('/api/v1/swaps', other, proposal)).toMatchObject(UNAVAILABLE)
    const ofCampaign = ['pause', 'resume', 'stop'].map((act) => `promotional-notifications/${messageId}/${act}`)
    for (const path of ['send-notification-all', ...ofCampaign]) {
      const refused = await ask(`/api/admin/${path}`, admin, path.startsWith('send') ? campaign : {})
      expect.soft(refused, path).toMatchObject(UNAVAILABLE)
      expect.soft(refused.json<{ error: string }>().error, path).toMatch(NAMES_HOMES)
    }
    link.flow()
    expect(await count()).toBe(before)
    expect((await ask('/api/v1/swaps', other, proposal)).statusCode).toBe(201)
    expect((await ask(`/api/admin/${ofCampaign[2]}`, admin, {})).statusCode).toBe(200)
    await drain(service)
    await expectTruth(service, messageId)
  })

  test('a process sweeps for other homes, and for its own only when kept answers are stored', async () => {
    const { db } = service.deps
    const messageId = await send(service, [lost, other])
    await claimEach(service, messageId)
    await untilRetry(service)
    const time = { now: 0 }
    const contact = createContact(() => time.now)
    const sweep = async () => {
      expect(await contact.steadyFor(1_000, AbortSignal.timeout(5_000))).toBe(true)
      const handlers = createHandlers(service.deps, (home) => contact.hasHomeFor(3_000, home))
      await handlers.sweep({}, new AbortController().signal).catch((error: Error) => error)
    }
    const home = toHome(db, lost.userId)
    link.down()
    const ending = new AbortController()
    const polling = startPoller(service.deps, { ...NOTHING_WAITS, contact }, ending.signal)
    await expect.poll(() => contact.hasHomeFor(1, home), { timeout: 30_000 }).toBe(false)
    ending.abort()
    await polling
    time.now = 2_000
    await sweep()
    expect(await world.readOutcome(messageId, other)).toEqual([{ outcome: 'unknown' }])
    link.flow()
    await sweep()
    expect(await world.readOutcome(messageId, lost)).toEqual([{ outcome: null }])
    time.now = 4_000
    await sweep()
    expect(await world.readOutcome(messageId, lost)).toEqual([{ outcome: 'unknown' }])
    await untilRetry(service)
    await drain(service)
    await expectTruth(service, messageId)
  })

  test('a round over all homes waits once for the server', async () => {
    link.down()
    const asked: number[] = []
    const work = async (home: number) => {
      asked.push(home)
      await sql`select from work where home = ${home}`.execute(service.deps.db)
    }
    await expect(eachHome(service.deps.db, work)).rejects.toThrow('remote node')
    expect(asked.filter((home) => homes.has(home))).toHaveLength(1)
    expect(asked.filter((home) => !homes.has(home))).toHaveLength(8 - homes.size)
  })

  test.each(['down', 'silent'] as const)('a report says which homes it cannot count (%s)', async (how) => {
    const admin = await service.given.admin()
    const messageId = await send(service, [lost, other], { promotional: true })
    link.down()
    if (how === 'silent') {
      link.flow()
      link.stall('answers')
    }
    for (const path of [`promotional-notifications/${messageId}`, 'promotional-notifications']) {
      const answer = await ask(`/api/admin/${path}`, admin)
      expect(answer).toMatchObject(UNAVAILABLE)
      expect(answer.json<{ error: string }>().error).toMatch(NAMES_HOMES)
    }
    link.flow()
    expect((await ask(`/api/admin/promotional-notifications/${messageId}`, admin)).statusCode).toBe(200)
    await drain(service)
  })
})

/** Changes when a message had all its batches, in the copy of `messages` of the first worker alone. */
async function changeAtWorker(
  { workerUrls }: DividedWorld['database'],
  messageId: number,
  coordinatedAt: string,
): Promise<void> {
  const client = new Client(workerUrls[0])
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select 'messages_' || shardid as name from pg_dist_shard where logicalrelid = 'messages'::regclass`,
  )
  await client.query('set citus.enable_manual_changes_to_shards = on')
  await client.query(`update ${rows[0]?.name} set coordinated_at = ${coordinatedAt} where message_id = ${messageId}`)
  await client.end()
}
