// Slow: a plain database with some 2,000 people is divided. It runs where CITUS_URL is set.
import { once } from 'node:events'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator/src/server.ts'
import { createHandlers } from '../src/handlers.ts'
import { completeJobs, fetchJobs } from '../src/platform/jobs/queue.ts'
import { claimBatches } from '../src/push/pipeline/claim.ts'
import { sendBatches } from '../src/push/pipeline/submit.ts'
import { expectTruth, readCopies, send, untilRetry } from './support/campaign.ts'
import { createCitusDatabase } from './support/citus.ts'
import { drain } from './support/drain.ts'
import type { GivenUser } from './support/given.ts'
import { readLedger } from './support/ledger.ts'
import { manage, spawnManage } from './support/manage.ts'
import { givenProposal } from './support/marketplace.ts'
import { readPages, readRows } from './support/picture.ts'
import { startService, type Service } from './support/service.ts'
import { sweep } from './support/sweep.ts'

const CITUS_URL = process.env['CITUS_URL'] ?? ''
const CROWD = 2_000
const HOMES = 32
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const { signal } = new AbortController()

/** How the texts of its three steps begin. */
const STEPS = ['-- `manage divide` runs this', '-- The first migration', '-- What was set aside']

describe.skipIf(CITUS_URL === '')('a plain database (skipped unless CITUS_URL names a Citus)', () => {
  let database: Awaited<ReturnType<typeof createCitusDatabase>>
  let simulator: Simulator
  let service: Service
  let people: GivenUser[]
  let admin: GivenUser
  /** Their counters equal their rows, because nobody of them was purged. */
  let truthful: number[]
  let messageIds: number[]
  let before: { rows: Awaited<ReturnType<typeof readRows>>; pages: Awaited<ReturnType<typeof readPages>> }

  beforeAll(async () => {
    database = await createCitusDatabase(CITUS_URL, { knowsWorkers: false })
    simulator = await startSimulator({ port: 0, ratePerSecond: 0, receiptDelayMs: 0, now: () => service.clock.now(), providersFolder: '', browserHosts: [] })
    service = await start()
    await live()
    before = { pages: await readPages(service, { people, messageIds, admin }), rows: {} }
  }, 5 * MINUTE)

  afterAll(async () => {
    await service.close()
    await simulator.close()
    await database.drop()
  })

  test('is divided while no process of the service is connected, all or nothing', async () => {
    const { url } = database
    const env = { DATABASE_URL: url }
    expect(await manage(['divide'], env)).toMatchObject({ code: 1, stderr: expect.stringMatching(/There are no workers/) })
    await addWorkers()
    expect(await manage(['divide'], env)).toMatchObject({ code: 1, stderr: expect.stringMatching(/Stop every process/) })
    await service.close()
    before.rows = await readRows(url)
    for (const step of STEPS) {
      await killAt(step)
      expect([step, await readRows(url)]).toEqual([step, before.rows])
    }
    const divided = await manage(['divide'], env)
    expect(divided).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(`into ${HOMES} homes`) })
    expect(await manage(['divide'], env)).toMatchObject({ code: 1, stderr: expect.stringMatching(/divided already, into 32/) })
  }, 5 * MINUTE)

  test('has the same rows and ids afterwards, each in the home of its people', async () => {
    const after = await readRows(database.url)
    for (const [name, lines] of Object.entries(before.rows)) expect([name, after[name]]).toEqual([name, lines])
    const client = new Client(database.url)
    await client.connect()
    const { rows } = await client.query(`
      select 'batches' as name from batches cross join unnest(user_ids) u where u > 0 and (u >> 9) % ${HOMES} <> home
      union all select 'entries' from entries where (user_id >> 9) % ${HOMES} <> home
      union all select 'bulk entries' from bulk_entries where block % ${HOMES} <> home
      union all select 'unread' from unread where (block >> 3) % ${HOMES} <> home
      union all select 'skips' from skips where (block >> 3) % ${HOMES} <> home
      union all select 'reactions' from reactions where (user_id >> 9) % ${HOMES} <> home`)
    expect(rows).toEqual([])
    await client.end()
  })

  test('shows people and administrators the same', async () => {
    const { clock } = service
    service = await start()
    await service.clock.setTime(clock.now())
    const after = await readPages(service, { people, messageIds, admin })
    for (const [url, bodies] of Object.entries(before.pages)) expect([url, after[url]]).toEqual([url, bodies])
  }, 2 * MINUTE)

  test('goes on: nobody is lost or doubled uncounted, and counters equal the rows of each home', async () => {
    const open = truthful.at(-1)!
    // The leases of open requests run out, then quiet hours end.
    for (let rounds = 0; rounds < 12; rounds++) {
      await service.clock.tick(rounds === 6 ? 12 * HOUR : 2 * MINUTE)
      await sweep(service.deps)
      await drain(service)
      await untilRetry(service)
    }
    const { headers } = admin
    await service.clock.tick(16 * MINUTE)
    await service.app.inject({ url: '/api/admin/process-receipts', headers })
    await drain(service)
    expect(await readLedger(service, open)).toMatchObject({ expected: CROWD + people.length, lost: 0 })
    const copies = await readCopies(service, open)
    expect(new Set(copies.map((copy) => copy.notification_id)).size).toBe(copies.length)
    expect(copies.filter((copy) => copy.is_send && copy.is_delivered === null)).toEqual([])
    for (const id of truthful) await expectTruth(service, id)
    const { rows } = await sql`select status from messages where status not in ('completed', 'stopped')`.execute(service.deps.db)
    expect(rows).toEqual([])
    await sendToAll('Afterwards')
    await drain(service)
    await expectTruth(service, truthful.at(-1)!)
  }, 5 * MINUTE)

  async function start(): Promise<Service> {
    const own = await startService({ EXPO_BASE_URL: simulator.url }, { lead: () => database.url, homes: 1 })
    return { ...own, simulator, close: async () => own.close() }
  }

  /** Campaigns that are kept, one that is stopped, one half sent, and what waits of each kind. */
  async function live(): Promise<void> {
    const { deps } = service
    admin = await service.given.admin()
    await service.deps.pool.query('alter table users alter user_id set increment by 397')
    people = []
    for (let n = 0; n < 12; n++) people.push(await service.given.user({ devices: [{}, { platform: 'android' }] }))
    const { owner, requester, swapId } = await givenProposal(service)
    people.push(owner, requester)
    const payload = { text: 'Hello' }
    await call('POST', `/api/v1/swaps/${swapId}/messages`, requester, payload)
    // A batch has people of several homes, and a home several of a batch.
    await deps.pool.query('alter table users alter user_id set increment by 29')
    await service.given.crowd(CROWD)
    truthful = []

    simulator.script([
      { match: 'send', ticketErrors: { 0: 'DeviceNotRegistered', 1: 'ProviderError', 2: 'MessageTooBig' } },
      { match: 'send', cut: 'mid-body' },
      { match: 'send', status: 429 },
    ])
    const first = await sendToAll('First')
    for (let rounds = 0; rounds < 5; rounds++) {
      await drain(service)
      await untilRetry(service)
    }
    await askForReceipts()
    for (const [n, person] of people.entries()) {
      if (n % 2 === 0) await call('POST', `/api/v1/inbox/${first}/read`, person)
      if (n % 3 === 0) await call('POST', `/api/v1/inbox/${first}/open`, person)
      if (n % 4 === 0) await call('POST', `/api/v1/inbox/${first}/archive`, person)
    }
    // They are nobody's now. Their counters have no rows any more.
    truthful = []
    await deps.pool.query('delete from users where user_id in (select user_id from users order by user_id desc limit 40)')

    const stopped = await sendToAll('Stopped')
    await coordinate()
    await sendSome(10)
    await call('POST', `/api/admin/promotional-notifications/${stopped}/stop`, admin)
    await drain(service)

    truthful.push(await send(service, people.slice(0, 10), { title: 'Named', promotional: false }))
    truthful.push(await send(service, [people[3]!], { title: 'To one', promotional: false }))
    await drain(service)

    await sleep(13)
    truthful.push(await sendToAll('Some sleep'))
    await drain(service)
    truthful.push(await send(service, people, { title: 'Named, and some sleep', promotional: false }))
    await drain(service)

    truthful.push(await sendToAll('Half sent'))
    await coordinate()
    await sendSome(8)
    simulator.script([{ match: 'send', cut: 'mid-body' }])
    await sendSome(4)
    await claimBatches(deps, { home: 0, lane: 'campaign', limit: 6 })
    const { rows } = await deps.pool.query(`
      select (select count(*) from requests where outcome is null) as open, (select count(*) from requests where next_receipt_at is not null) as receipts,
        (select count(*) from work where provider is null and not is_entered) as undecided, (select count(*) from work where is_entered) as deferred,
        (select count(*) from work where provider is not null) as retried`)
    expect(Object.values(rows[0] as Record<string, number>).every((n) => n > 0)).toBe(true)
    messageIds = (await deps.db.selectFrom('messages').select('message_id').orderBy('message_id').execute()).map((row) => row.message_id)
  }

  /** Every so many people, in quiet hours that last for hours. */
  async function sleep(every: number): Promise<void> {
    const now = new Date(service.clock.now())
    const minute = now.getUTCHours() * 60 + now.getUTCMinutes()
    await service.deps.pool.query(
      `insert into push_preferences (user_id, quiet_start, quiet_end, created_at, updated_at)
      select user_id, $2, $3, now(), now() from (select user_id, row_number() over (order by user_id) as n from users where role = 'user') u where n % $1 = 0`,
      [every, (minute + 1_430) % 1_440, (minute + 300) % 1_440],
    )
  }

  async function coordinate(): Promise<void> {
    const { deps } = service
    for (const job of await fetchJobs(deps.queue, 'coordinate', 10)) {
      await createHandlers(deps).coordinate(job.data, signal)
      await completeJobs(deps.queue, deps.db, 'coordinate', [job])
    }
  }

  async function sendSome(limit: number): Promise<void> {
    await sendBatches({ ...service.deps, ...service.deps.providers[0]! }, { home: 0, lane: 'campaign', limit })
  }

  async function sendToAll(title: string): Promise<number> {
    const answer = await call('POST', '/api/admin/send-notification-all', admin, { title, text: 'There' })
    return answer.json<{ data: { notification_id: number } }>().data.notification_id
  }

  async function askForReceipts(): Promise<void> {
    await service.clock.tick(16 * MINUTE)
    await call('GET', '/api/admin/process-receipts', admin)
    await drain(service)
  }

  async function call(method: 'GET' | 'POST', url: string, { headers }: GivenUser, payload?: object) {
    const answer = await service.app.inject({ method, url, headers, ...(payload && { payload }) })
    expect([url, Math.floor(answer.statusCode / 100)]).toEqual([url, 2])
    return answer
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
      const { rowCount } = await watcher.query(`select from pg_stat_activity where datname = $1 and backend_type = 'client backend' and query like $2`, [name, `${text}%`])
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
