// Slow: four seconds.
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createHandlers } from '../src/handlers.ts'
import { inTransaction } from '../src/platform/db/transaction.ts'
import { eachHome } from '../src/push/records/home.queries.ts'
import { expectTruth, send, usersWithPhones } from './support/campaign.ts'
import { drain } from './support/drain.ts'
import { hold } from './support/holds.ts'
import { openLink, type Link } from './support/link.ts'
import { startService, type Service } from './support/service.ts'
import { runSql } from './support/run-sql.ts'

const HOMES = 4
const DAY = 86_400_000
const FIRST_OF_A_WORKER = 2 ** 48
const { signal } = new AbortController()

/** Homes 0 and 1 are reached by the link, the others at the coordinator alone. */
async function startBehindLink(): Promise<{ service: Service; link: Link }> {
  const link = await openLink(0)
  const service = await startService(
    {},
    {
      homes: HOMES,
      lead: (url) => {
        link.pointAt(Number(new URL(url).port))
        return change(
          url,
          `update pg_dist_node set nodename = '127.0.0.1', nodeport = ${link.port};
          update pg_dist_placement set groupid = 0 where shardid > 1`,
        )
      },
    },
  )
  onTestFinished(async () => {
    await service.close()
    await link.close()
  })
  return { service, link }
}

test('a campaign goes through the coordinator while the server of its homes refuses', async () => {
  const { service, link } = await startBehindLink()
  const users = await usersWithPhones(service, 12)
  const sendToAll = async () => {
    const messageId = await send(service, users)
    await drain(service)
    await createHandlers(service.deps)['fetch-receipts']({ limit: 1_000, dueOnly: false }, signal)
    await expectTruth(service, messageId)
  }
  await sendToAll()
  expect(await countOfHomes(service)).toBeGreaterThan(0)
  expect(service.logged()).not.toContain('refuses')

  link.down()
  await expect.poll(() => countOfHomes(service)).toBe(0)
  await sendToAll()
  expect(service.logged()).toContain('a server refuses: its homes are reached through the coordinator')
  for (const { headers } of users) {
    const answer = await service.app.inject({ url: '/api/v1/inbox', headers })
    expect([answer.statusCode, answer.json<{ data: unknown[] }>().data.length]).toEqual([200, 2])
  }
})

test('nobody is refused where a server is silent to this process, and not to the coordinator', async () => {
  const { service, link } = await startBehindLink()
  const users = await usersWithPhones(service, 12)
  link.stall()
  for (const { headers } of users)
    expect((await service.app.inject({ url: '/api/v1/inbox', headers })).statusCode).toBe(200)
  expect(service.deps.pool.findSilence!()).toBeUndefined()
  expect(service.logged()).toContain('a server refuses: its homes are reached through the coordinator')
})

test('a round over all homes waits once for a server that is too slow', async () => {
  const { service } = await startBehindLink()
  const asked: number[] = []
  const work = async (home: number) => {
    asked.push(home)
    if (home >= 2) return
    await inTransaction(service.deps.db, async (tx) => {
      await sql`set local statement_timeout = 50`.execute(tx)
      await sql`select pg_sleep(60)`.execute(tx)
    })
  }
  await expect(eachHome(service.deps.db, work)).rejects.toThrow('statement timeout')
  expect(asked.filter((home) => home < 2)).toHaveLength(1)
  expect(asked.filter((home) => home >= 2)).toHaveLength(2)
})

test('without a catalog that it may read, all homes are reached through the coordinator', async () => {
  const service = await startService(
    {},
    {
      homes: HOMES,
      lead: (url) => change(url, 'alter table pg_dist_node drop column metadatasynced'),
    },
  )
  onTestFinished(() => service.close())
  const messageId = await send(service, await usersWithPhones(service, 8))
  await drain(service)
  await expectTruth(service, messageId)
  expect(await countOfHomes(service)).toBe(0)
  expect(service.logged()).toContain('some homes are reached through the coordinator alone')
})

test('preferences that a claim goes by stay until the server of the home has committed it', async () => {
  const { service } = await startBehindLink()
  const users = await usersWithPhones(service, 12)
  for (const { headers } of users) {
    const payload = { quiet_hours: { start: '00:00', end: '23:59' } }
    const answer = await service.app.inject({ method: 'PATCH', url: '/api/v1/me/settings', headers, payload })
    expect(answer.statusCode).toBe(200)
  }
  const messageId = await send(service, users)
  // A claim takes it last.
  const badges = await hold(service, 'lock table unread in exclusive mode')
  const drained = drain(service)
  await badges.untilWaiting(1)
  const free = await service.deps.pool.query('select from push_preferences for update skip locked')
  expect(free.rowCount).toBeLessThan(users.length)
  await badges.commit()
  await drained
  expect(service.simulator.log()).toEqual([])
  const { rows } = await service.deps.pool.query('select from work where message_id = $1 and is_entered', [messageId])
  expect(rows.length).toBeGreaterThan(0)
})

test('the last answers of a provider are the latest, whichever server gave them their ids', async () => {
  const service = await startService({}, { homes: HOMES })
  onTestFinished(() => service.close())
  const { pool, clock } = service.deps
  await pool.query('update pg_dist_node set groupid = 3; update pg_dist_placement set groupid = 3')
  const now = clock.now()
  const insert = (ids: string, outcome: string, at: number) =>
    pool.query(
      `insert into requests (home, request_id, provider, message_ids, batch_ids, sizes, places, rounds, started_at,
        lease_until, outcome, settled_at)
      select 0, id, 'expo', '{1024}', '{1}', '{1}', '{0}', '\\x00', $1, $1, $2, $1 from ${ids} id`,
      [new Date(at), outcome],
    )
  await insert(`generate_series(${3 * FIRST_OF_A_WORKER + 1}, ${3 * FIRST_OF_A_WORKER + 500})`, 'accepted', now - DAY)
  await insert('generate_series(1, 2)', 'accepted', now - 1_000)
  const { headers } = await service.given.admin()
  const answer = await service.app.inject({ url: '/api/admin/push-status', headers })
  const { providers } = answer.json<{ data: { providers: { recent: unknown }[] } }>().data
  expect(providers[0]!.recent).toMatchObject({ last_success_at: new Date(now - 1_000).toISOString(), requests: 2 })
})

test('old requests go, whichever server gave them their ids', async () => {
  const service = await startService({}, { homes: HOMES })
  onTestFinished(() => service.close())
  const { deps, clock } = service
  const chores = createHandlers(deps)
  await clock.setTime(clock.now() + 400 * DAY)
  const insert = (ids: string, at: Date) =>
    deps.pool.query(
      `insert into requests (home, request_id, provider, message_ids, batch_ids, sizes, places, rounds, started_at,
        lease_until, outcome, settled_at)
      select 0, id, 'expo', '{1024}', '{1}', '{1}', '{0}', '\\x00', $1, $1, 'accepted', $1 from ${ids} id`,
      [at],
    )
  // More than a step of the retention takes.
  await insert('generate_series(1, 5001)', new Date(clock.now()))
  await insert(`unnest(array[${3 * FIRST_OF_A_WORKER + 1}])`, new Date(clock.now() - 300 * DAY))
  await chores.retention({}, signal)
  const { rows } = await deps.pool.query<{ ids: number }>('select count(*)::int as ids from requests')
  expect(rows).toEqual([{ ids: 5_001 }])
})

/** Connections to servers of homes. */
async function countOfHomes({ deps }: Service): Promise<number> {
  const text = await deps.metrics.registry.text()
  const counts = text.matchAll(/^swapbell_database_connections\{pool="homes",state="\w+"\} (\d+)$/gm)
  return Array.from(counts, ([, n]) => Number(n)).reduce((sum, n) => sum + n, 0)
}

/** Gives the address of the database. */
async function change(url: string, statements: string): Promise<string> {
  await runSql(url, statements)
  return url
}
