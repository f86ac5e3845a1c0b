// Slow: a plain database with some 2,000 people is divided. It runs where CITUS_URL is set.
import { once } from 'node:events'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator/src/server.ts'
import { expectTruth, readCopies, untilRetry } from './support/campaign.ts'
import { createCitusDatabase } from './support/citus.ts'
import { drain } from './support/drain.ts'
import { askForReceipts, liveIn, type Lived } from './support/lived-in.ts'
import { manage, spawnManage } from './support/manage.ts'
import { readPages, readRows, withoutEstimates } from './support/picture.ts'
import { startService, type Service } from './support/service.ts'
import { sweep } from './support/sweep.ts'
import { runSql } from './support/run-sql.ts'

const CITUS_URL = process.env['CITUS_URL'] ?? ''
const HOMES = 32
const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** How the texts of its three steps begin. */
const STEPS = ['-- `manage divide` runs this', '-- The first migration', '-- What was set aside']

describe.skipIf(CITUS_URL === '')('a plain database (skipped unless CITUS_URL names a Citus)', () => {
  let database: Awaited<ReturnType<typeof createCitusDatabase>>
  let simulator: Simulator
  let service: Service
  let lived: Lived
  /** A campaign of which only people up to a user have their batches. */
  let behind: { messageId: number; userId: number }
  let before: { rows: Awaited<ReturnType<typeof readRows>>; pages: Awaited<ReturnType<typeof readPages>> }

  beforeAll(async () => {
    database = await createCitusDatabase(CITUS_URL, { knowsWorkers: false })
    simulator = await startSimulator({
      port: 0,
      ratePerSecond: 0,
      receiptDelayMs: 0,
      now: () => service.clock.now(),
      providersFolder: '',
      browserHosts: [],
    })
    service = await start()
    lived = await liveIn(service)
    behind = { messageId: await lived.sendToAll(service, 'Behind'), userId: lived.people[6]!.userId }
    await runSql(
      database.url,
      `update messages set status = 'sending', cursor_user_id = ${behind.userId}
      where message_id = ${behind.messageId}`,
    )
    before = { pages: await readPages(service, lived), rows: {} }
  }, 5 * MINUTE)

  afterAll(async () => {
    await service.close()
    await simulator.close()
    await database.drop()
  })

  test(
    'is divided while no process of the service is connected, all or nothing',
    async () => {
      const { url } = database
      const env = { DATABASE_URL: url }
      expect(await manage(['divide'], env)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/There are no workers/),
      })
      await addWorkers()
      expect(await manage(['divide'], env)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/Stop every process/),
      })
      await service.close()
      before.rows = await readRows(url)
      for (const step of STEPS) {
        await killAt(step)
        expect([step, await readRows(url)]).toEqual([step, before.rows])
      }
      const divided = await manage(['divide'], env)
      expect(divided).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(`into ${HOMES} homes`) })
      expect(await manage(['divide'], env)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/divided already, into 32/),
      })
    },
    5 * MINUTE,
  )

  test('has the same rows and ids afterwards, each in the home of its people', async () => {
    const after = await readRows(database.url)
    for (const [name, lines] of Object.entries(before.rows)) expect([name, after[name]]).toEqual([name, lines])
    const rows = await runSql(
      database.url,
      `
      select 'batches' as name from batches cross join unnest(user_ids) u where u > 0 and (u >> 9) % ${HOMES} <> home
      union all select 'entries' from entries where (user_id >> 9) % ${HOMES} <> home
      union all select 'bulk entries' from bulk_entries where block % ${HOMES} <> home
      union all select 'unread' from unread where (block >> 3) % ${HOMES} <> home
      union all select 'skips' from skips where (block >> 3) % ${HOMES} <> home
      union all select 'reactions' from reactions where (user_id >> 9) % ${HOMES} <> home
      union all select 'messages to one' from home_messages where (recipient_id >> 9) % ${HOMES} <> home`,
    )
    expect(new Set(rows.map(({ name }) => name))).toEqual(new Set())
    type Row = { row: { message_id: number; recipient_id: number | null; home: number } }
    const messages = (await runSql(database.url, 'select to_jsonb(m) as row from messages m')) as Row[]
    const told = (await runSql(database.url, 'select to_jsonb(h) as row from home_messages h')) as Row[]
    for (const { row } of messages) {
      const own = told.filter((one) => one.row.message_id === row.message_id)
      expect(own).toHaveLength(row.recipient_id === null ? HOMES : 1)
      for (const {
        row: { home: _, ...known },
      } of own)
        expect(row).toMatchObject(known)
    }
  })

  test(
    'shows people and administrators the same',
    async () => {
      const { clock } = service
      service = await start()
      await service.clock.setTime(clock.now())
      const after = await readPages(service, lived)
      expect(Object.keys(after)).toEqual(Object.keys(before.pages))
      for (const [url, was] of Object.entries(before.pages)) {
        const is = after[url]!
        expect([url, withoutEstimates(is, was)]).toEqual([url, withoutEstimates(was, is)])
      }
    },
    5 * MINUTE,
  )

  test(
    'goes on: nobody is lost or doubled uncounted, and counters equal the rows of each home',
    async () => {
      // The leases of open requests run out, then quiet hours end.
      for (let rounds = 0; rounds < 10; rounds++) {
        await service.clock.tick(rounds === 5 ? 12 * HOUR : 2 * MINUTE)
        await sweep(service.deps)
        await drain(service)
        await untilRetry(service)
      }
      await askForReceipts(service)
      const copies = await readCopies(service, lived.halfSent)
      expect(copies.length).toBeGreaterThan(2_000)
      expect(new Set(copies.map((copy) => copy.notification_id)).size).toBe(copies.length)
      const left = copies.filter((copy) => copy.is_send && copy.is_delivered === null)
      expect(left).toHaveLength(0)
      const selected = await runSql(
        database.url,
        `
        select (select sum(selected) from message_counts where message_id = ${behind.messageId}) as counted,
          (select min(u) from batches cross join unnest(user_ids) u where message_id = ${behind.messageId}) as first,
          (select count(*) from users where user_id > ${behind.userId} and user_id <= (
            select last_user_id from messages where message_id = ${behind.messageId})) as people`,
      )
      expect(selected[0]?.['counted']).toBe(selected[0]?.['people'])
      expect(Number(selected[0]?.['first'])).toBeGreaterThan(behind.userId)
      const later = await lived.sendToAll(service, 'Afterwards')
      await drain(service)
      for (const id of [...lived.truthful, later]) await expectTruth(service, id)
      const unfinished = sql`select status from messages where status not in ('completed', 'stopped')`
      expect((await unfinished.execute(service.deps.db)).rows).toEqual([])
    },
    5 * MINUTE,
  )

  async function start(): Promise<Service> {
    const own = await startService({ EXPO_BASE_URL: simulator.url }, { lead: () => database.url, homes: 1 })
    return { ...own, simulator, close: async () => own.close() }
  }

  async function addWorkers(): Promise<void> {
    for (const { hostname, port } of database.workerUrls.map((url) => new URL(url)))
      await service.deps.pool.query('select citus_add_node($1, $2)', [hostname, Number(port)])
  }

  /** Kills the command while the server runs that step, and waits until nothing of it is left. */
  async function killAt(step: string): Promise<void> {
    const watcher = new Client(CITUS_URL)
    await watcher.connect()
    const name = new URL(database.url).pathname.slice(1)
    const running = async (text: string) => {
      const { rowCount } = await watcher.query(
        `select from pg_stat_activity where datname = $1 and backend_type = 'client backend'
          and application_name not like 'citus%' and query like $2`,
        [name, `${text}%`],
      )
      return rowCount !== 0
    }
    const child = spawnManage(['divide'], { DATABASE_URL: database.url })
    const closed = once(child, 'close')
    while (child.exitCode === null && !(await running(step)));
    child.kill('SIGKILL')
    await closed
    expect([step, child.signalCode]).toEqual([step, 'SIGKILL'])
    while (await running(''));
    await watcher.end()
  }
})
