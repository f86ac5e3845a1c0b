// Slow: a second or more for each test, or five for the file.
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createHandlers } from '../src/handlers.ts'
import { createContact } from '../src/platform/jobs/contact.ts'
import { must } from '../src/platform/shared/must.ts'
import { startPoller } from '../src/push/pipeline/poller.ts'
import { runOnce } from '../src/push/pipeline/submit.ts'
import { listNewerBadges } from '../src/push/badges/badges.queries.ts'
import { eachHome, toHome } from '../src/push/records/home.queries.ts'
import { tellHomes } from '../src/push/records/home-messages.queries.ts'
import { completeFinishedMessages } from '../src/push/records/messages.queries.ts'
import { claimEach } from './support/attempt.ts'
import { calmDown, expectTruth, send, untilRetry } from './support/campaign.ts'
import { openDividedWorld, type DividedWorld } from './support/divided-world.ts'
import { drain } from './support/drain.ts'

const NAMES_HOMES = /its homes \(\d+(, \d+)*\)/
const NOTHING_WAITS = { lanes: new Map(), badges: () => undefined, ahead: () => undefined, hears: () => true }

const CITUS_URL = process.env['CITUS_URL'] ?? ''

describe.skipIf(CITUS_URL === '')('while a worker of a Citus is away (skipped unless CITUS_URL names one)', () => {
  let world: DividedWorld
  let { database, link, service, lost, other, homes, ask, sendWhatCan, tokensSent } = {} as DividedWorld

  beforeAll(async () => {
    world = await openDividedWorld(CITUS_URL)
    ;({ database, link, service, lost, other, homes, ask, sendWhatCan, tokensSent } = world)
  })

  beforeEach(() => calmDown(service))

  afterEach(() => link.flow())

  afterAll(() => world.close())

  const UNAVAILABLE = {
    statusCode: 503,
    headers: { 'retry-after': '5' },
  }

  test('a message is not over while its server has not heard of it', async () => {
    const { db } = service.deps
    const home = toHome(db, lost.userId)
    const isOver = async (messageId: number) => {
      await completeFinishedMessages(db, [messageId], new Date())
      const { rows } = await sql<{ status: string }>`
        select status from messages where message_id = ${messageId}`.execute(db)
      return rows[0]?.status === 'completed'
    }
    // As between the commits of the coordinator and of the worker.
    const toOne = await send(service, [lost])
    await sql`delete from work where home = ${home} and message_id = ${toOne}`.execute(db)
    await sql`delete from home_messages where home = ${home} and message_id = ${toOne}`.execute(db)
    expect(await isOver(toOne)).toBe(false)
    await tellHomes(db, [toOne])
    expect(await isOver(toOne)).toBe(true)

    const toMany = await send(service, [lost, other], { promotional: false })
    link.down()
    await sendWhatCan('transactional')
    link.flow()
    const commit = await holdAtWorker(database, home, toMany)
    const found = isOver(toMany)
    await expect.poll(() => waitsForLock(database)).toBe(true)
    await commit()
    expect(await found).toBe(false)
    await drain(service)
    await expectTruth(service, toMany)
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
    const refused = await ask(`/api/admin/promotional-notifications/${messageId}`, admin)
    expect(refused).toMatchObject(UNAVAILABLE)
    expect(refused.json<{ error: string }>().error).toMatch(NAMES_HOMES)
    const isMessage = ({ id }: { id: number }) => id === messageId
    const list = async () => (await ask('/api/admin/promotional-notifications', admin)).json().data.find(isMessage)
    expect(await list()).toMatchObject({ counts: { selected: 1, waiting: 1 }, homes_not_counted: [...homes] })
    link.flow()
    const whole = await list()
    expect(whole).toMatchObject({ counts: { selected: 2, waiting: 2 } })
    expect(whole).not.toHaveProperty('homes_not_counted')
    await drain(service)
  })
})

/** A worker has not heard of the work of a message yet, whose transaction is not committed there. */
async function holdAtWorker({ workerUrls }: DividedWorld['database'], home: number, messageId: number) {
  const client = new Client(workerUrls[0])
  await client.connect()
  const { rows } = await client.query<{ work: string; messages: string }>(
    `select 'work_' || get_shard_id_for_distribution_column('work', $1::smallint) as work,
      'home_messages_' || get_shard_id_for_distribution_column('home_messages', $1::smallint) as messages`,
    [home],
  )
  const { work, messages } = must(rows[0], 'tables of a home')
  const ofMessage = `where home = ${home} and message_id = ${messageId}`
  await client.query('set citus.enable_manual_changes_to_shards = on')
  await client.query(`create temp table kept as select * from ${work} ${ofMessage}; delete from ${work} ${ofMessage}`)
  await client.query(`begin; update ${messages} set title = title ${ofMessage}`)
  await client.query(`insert into ${work} overriding system value select * from kept`)
  return async () => {
    await client.query('commit')
    await client.end()
  }
}

async function waitsForLock({ workerUrls }: DividedWorld['database']): Promise<boolean> {
  const client = new Client(workerUrls[0])
  await client.connect()
  const { rowCount } = await client.query(`select from pg_locks where not granted`)
  await client.end()
  return rowCount! > 0
}
