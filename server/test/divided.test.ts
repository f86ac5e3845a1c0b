// Slow: a second or more for each test, or five for the file.
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFigures } from '../src/administration/figures/figures.ts'
import { connect, queryBuilder } from '../src/platform/db/connect.ts'
import { readHomes } from '../src/platform/db/homes.ts'
import { DIVIDED } from './support/citus.ts'
import { createRegistry } from '../src/platform/metrics/registry.ts'
import { createLog } from '../src/platform/shared/log.ts'
import { createCitusDatabase, createDividedDatabase } from './support/citus.ts'
import { manage } from './support/manage.ts'
import { runSql } from './support/run-sql.ts'

const CITUS_URL = process.env['CITUS_URL'] ?? ''

describe.skipIf(CITUS_URL === '')('an empty database of a Citus (skipped unless CITUS_URL names one)', () => {
  test('is divided by the first migration into as many homes as were wished, and stays so', async () => {
    const { url } = await kept(createCitusDatabase(CITUS_URL))
    const first = await manage(['migrate', '--homes', '16'], { DATABASE_URL: url })
    expect([first.code, first.stderr]).toEqual([0, ''])
    expect(first.stdout).toContain('The ledger and the inbox are divided into 16 homes.')
    const again = await manage(['migrate'], { DATABASE_URL: url })
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^The schema is up to date\.\n.* 16 homes/) })
    const other = await manage(['migrate', '--homes', '32'], { DATABASE_URL: url })
    expect(other).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('The homes of a database are fixed when it is made: 16.'),
    })
    const { tables } = await one(
      url,
      `select json_object_agg(logicalrelid, partmethod) as tables from pg_dist_partition`,
    )
    expect(tables).toEqual({
      ...Object.fromEntries(DIVIDED.map((name) => [name, 'h'])),
      home_messages: 'h',
      two_phases: 'n',
    })
    const { together } = await one(
      url,
      `select count(distinct colocationid)::int as together from pg_dist_partition where partmethod = 'h'`,
    )
    expect(together).toBe(1)
  })

  test('is made whole or not at all, by one of the processes that start together', async () => {
    const { url } = await kept(createCitusDatabase(CITUS_URL))
    const all = await Promise.all([1, 2, 3].map(() => manage(['migrate'], { DATABASE_URL: url })))
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(all.filter(({ stdout }) => stdout.startsWith('Ran '))).toHaveLength(1)
    expect(await one(url, 'select homes from division')).toEqual({ homes: 32 })
  })

  test('stays plain while it knows no workers, and is refused at a worker', async () => {
    const { url, workerUrls } = await kept(createCitusDatabase(CITUS_URL, { knowsWorkers: false }))
    const { code, stdout } = await manage(['migrate'], { DATABASE_URL: url })
    expect([code, stdout]).toEqual([0, expect.stringContaining('is not divided')])
    expect(await one(url, 'select homes from division')).toEqual({ homes: 1 })
    const divided = await kept(createDividedDatabase(CITUS_URL))
    const atWorker = await manage(['migrate'], { DATABASE_URL: divided.workerUrls[0]! })
    expect(atWorker).toMatchObject({ code: 1, stderr: expect.stringContaining('This is a worker of a Citus') })
    expect(workerUrls).toHaveLength(2)
  })

  test('that got the extension later is not divided, and the migration and the doctor say so', async () => {
    const { url } = await kept(createCitusDatabase(CITUS_URL, { knowsWorkers: false }))
    await one(url, 'drop extension citus cascade')
    expect((await manage(['migrate'], { DATABASE_URL: url })).stdout).not.toMatch(/into|citus/)
    await one(url, 'create extension citus')
    const { code, stdout } = await manage(['migrate'], { DATABASE_URL: url })
    expect([code, stdout]).toEqual([0, expect.stringContaining('is not divided: `manage divide` does that')])
    expect(await one(url, 'select homes from division')).toEqual({ homes: 1 })
    expect((await examine(url)).filter(({ check }) => check === 'nodes')).toMatchObject([{ level: 'warn' }])
  })

  test('commits in two phases what is written on the coordinator beside a home, and in one what is written in a home', async () => {
    const { url } = await kept(createDividedDatabase(CITUS_URL))
    const client = new Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    const told: string[] = []
    client.on('notice', ({ message = '' }) => told.push(message))
    await client.query('set citus.log_remote_commands = on')
    const countPrepared = async (beside: string) => {
      told.length = 0
      await client.query(
        `begin; ${beside}; insert into push_counts (home, bucket, slot) values (3, clock_timestamp(), 0); commit`,
      )
      return told.filter((line) => line.startsWith('issuing PREPARE TRANSACTION')).length
    }
    const { rows } = await client.query<{ name: string }>(
      `select tgrelid::regclass::text as name from pg_trigger where tgname like '%_in_two_phases'`,
    )
    expect(rows.length).toBeGreaterThan(5)
    for (const { name } of rows) expect.soft(await countPrepared(`delete from ${name}`), name).toBe(1)
    const user = `insert into users (username, email, name, password_hash) values ('a', 'a@example.com', 'A', '')`
    expect(await countPrepared(`${user}; delete from users`)).toBeGreaterThan(0)
    expect(await countPrepared('select from users')).toBe(0)
  })

  test('a purged person leaves messages, as on a plain database', async () => {
    const { url } = await kept(createDividedDatabase(CITUS_URL))
    await one(
      url,
      `insert into users (username, email, name, password_hash) values ('a', 'a@example.com', 'A', '');
      insert into messages (message_id, type, audience, lane, needs_opt_in, sender_id, recipient_id, title, body, created_at,
        expires_at, updated_at)
      select 1024, 'promotional', 'users', 'campaign', false, user_id, user_id, '', '', now(), now(), now() from users`,
    )
    expect(await one(url, 'select sender_id is null as is_free from messages')).toEqual({ is_free: false })
    await one(url, 'delete from users')
    expect(await one(url, 'select sender_id, recipient_id from messages')).toEqual({
      sender_id: null,
      recipient_id: null,
    })
  })

  test('has its servers examined by the doctor, and counted in the metrics', async () => {
    const { url } = await kept(createDividedDatabase(CITUS_URL))
    const findings = (await examine(url)).filter(({ check }) => CHECKS.includes(check))
    expect(findings.map(({ check }) => check)).toEqual(CHECKS)
    expect(findings.filter(({ level }) => level === 'fail')).toEqual([])
    expect(findings.find(({ check }) => check === 'homes')?.says).toMatch(/^32 homes: /)
    expect(findings.find(({ check }) => check === 'home-servers')).toMatchObject({ level: 'ok' })
    const whole = await scrape(url)
    expect(whole.match(/^swapbell_installation_node_reachable\{node="\d"\} 1$/gm)).toHaveLength(3)
    const homes = whole.matchAll(/^swapbell_installation_node_homes\{node="[12]"\} (\d+)$/gm)
    expect(Array.from(homes, ([, n]) => Number(n)).reduce((sum, n) => sum + n, 0)).toBe(32)

    await one(url, `update pg_dist_node set nodeport = 1 where groupid = 2`)
    expect((await examine(url)).find(({ check }) => check === 'nodes')).toMatchObject({
      level: 'fail',
      says: expect.stringMatching(/cannot reach .*:1: /),
    })
    expect((await examine(url)).find(({ check }) => check === 'home-servers')).toMatchObject({ level: 'warn' })
    expect(await scrape(url)).toMatch(/^swapbell_installation_node_reachable\{node="2"\} 0$/m)
  })

  test('tells of the role that settles transactions in two phases where it keeps connections', async () => {
    const { url } = await kept(createDividedDatabase(CITUS_URL))
    const name = new URL(url).pathname.slice(1)
    const settings = async () => (await examine(url)).find(({ check }) => check === 'citus-settings')?.says ?? ''
    const keep = (on: string, count: number) =>
      one(on, `alter role current_user in database ${name} set citus.max_cached_conns_per_worker = ${count}`)
    await keep(url, 0)
    expect(await settings()).not.toContain('max_cached_conns_per_worker')
    await keep(url, 1)
    expect(await settings()).toMatch(/per_worker to 0 for the role \w+, .* on the coordinator/)
  })

  test('gives out no id a second time at any of its servers after it went back', async () => {
    const account = `account_${randomUUID().slice(0, 8)}`
    const { url, workerUrls } = await kept(createDividedDatabase(CITUS_URL, 8, {}, account))
    const nodes = [url, ...workerUrls]
    const give = () => Promise.all(nodes.map((node) => one(node, `select nextval('request_ids')::float8 as id`)))
    const before = await give()
    expect(await manage(['after-recovery'], { DATABASE_URL: url })).toMatchObject({ code: 0, stderr: '' })
    const after = await give()
    expect(after.map(({ id }, node) => Number(id) - Number(before[node]!['id']) >= 10_000_000)).toEqual(
      nodes.map(() => true),
    )
  })

  test('tells of a transaction that stays prepared', async () => {
    const { url, workerUrls } = await kept(createDividedDatabase(CITUS_URL))
    await one(workerUrls[0]!, `begin; create table left_open (); prepare transaction 'left open'`)
    onTestFinished(async () => void (await one(workerUrls[0]!, `rollback prepared 'left open'`)))
    const samples = await scrape(url)
    const [, age] = /^swapbell_installation_node_oldest_prepared_seconds\{node="1"\} (\S+)$/m.exec(samples) ?? []
    expect(Number(age)).toBeGreaterThan(0)
  })
})

const CHECKS = ['nodes', 'citus', 'homes', 'citus-settings', 'prepared', 'node-standbys', 'home-servers']

async function kept<Database extends { drop(): Promise<void> }>(creating: Promise<Database>): Promise<Database> {
  const database = await creating
  onTestFinished(() => database.drop())
  return database
}

async function examine(url: string): Promise<{ check: string; level: string; says: string }[]> {
  const { stdout } = await manage(['doctor', '--json'], { DATABASE_URL: url })
  return JSON.parse(stdout) as { check: string; level: string; says: string }[]
}

/** The metrics of a process that has just started. */
async function scrape(url: string): Promise<string> {
  const log = createLog('silent')
  const pool = connect(url, { max: 2, log })
  pool.homes = await readHomes(pool)
  const registry = createRegistry()
  await createFigures(registry).read({ db: queryBuilder(pool), pool, clock: { now: Date.now }, log })
  const text = await registry.text()
  await pool.end()
  return text
}

/** The first row of the last statement. */
async function one(url: string, statement: string): Promise<Record<string, unknown>> {
  return (await runSql(url, statement))[0] ?? {}
}
