// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { readdir } from 'node:fs/promises'
import { sql } from 'kysely'
import { CLOCK_OVERRIDE_SETTING } from 'pg-boss'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { configWith } from '../src/platform/config/config.ts'
import { copyOut } from '../src/platform/db/copy-out.ts'
import { connect, type DbPool } from '../src/platform/db/connect.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { createDeps } from '../src/deps.ts'
import { createLog } from '../src/platform/shared/log.ts'
import { expectTruth, send, usersWithPhones } from './support/campaign.ts'
import { drain } from './support/drain.ts'
import { startPgBouncer, type PgBouncer } from './support/pgbouncer.ts'
import { isInstalled } from './support/programs.ts'
import { cloneTemplate, createDatabase, startService, type Service } from './support/service.ts'
import { runSql } from './support/run-sql.ts'

const MODES = ['session', 'transaction'] as const
const AT_ONCE = 40
const log = createLog('silent')

describe.skipIf(!isInstalled('pgbouncer')).for(MODES)('through PgBouncer in %s mode', (mode) => {
  let bouncer: PgBouncer
  let service: Service

  beforeAll(async () => {
    // More clients than sessions, so that in transaction mode they have to share.
    const size = mode === 'session' ? 40 : 4
    bouncer = await startPgBouncer(inject('postgresUrl'), mode, [`default_pool_size = ${size}`])
    service = await startService({}, { lead })
  })

  afterAll(async () => {
    await service.close()
    await bouncer.close()
  })

  test('JIT is off and every limit holds on each connection of the service and of the queue', async () => {
    const { pool, queue } = service.deps
    for (const connections of [pool, queue.pool]) expect(await readSettings(connections)).toEqual(['off 30s 8s 5s'])
  })

  test('many calls at once are answered, with prepared statements and without', async () => {
    const user = await service.given.user()
    const admin = await service.given.admin()
    const calls = Array.from({ length: AT_ONCE }, (_, n) => [
      service.app.inject({ url: '/api/notification', headers: user.headers }),
      service.app.inject({ url: `/api/admin/v1/user-profile?id=${user.userId}`, headers: admin.headers }),
      service.app.inject({
        method: 'POST',
        url: '/api/user/save-phone-token',
        headers: user.headers,
        payload: { token: `ExponentPushToken[bounced-${n}]`, device_id: `d${n}`, platform: 'ios' },
      }),
    ])
    const answers = await Promise.all(calls.flat())
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]))
  })

  test('a campaign is sent, and what is stored is true', async () => {
    const users = await usersWithPhones(service, 30)
    const messageId = await send(service, users)
    await drain(service)
    await expectTruth(service, messageId)
    expect(await sentTo(service, messageId)).toBe(30)
  })

  test('an export that nobody reads on is cancelled, and nobody else’s statement is', async () => {
    const { db, config } = service.deps
    const source = { db, url: config.DATABASE_URL, log }
    const nap = { rows: sql`select pg_sleep(30)::text`, counted: sql`select 1`, format: 'csv' } as const
    const [stopped, running] = [await copyOut(source, nap), await copyOut(source, nap)]
    await expect.poll(() => runningCopies(service)).toBe(2)
    stopped.stream.destroy()
    await expect(stopped.given).rejects.toThrow(/./)
    await expect.poll(() => runningCopies(service)).toBe(1)
    running.stream.destroy()
    await expect(running.given).rejects.toThrow(/./)
    await expect.poll(() => runningCopies(service)).toBe(0)
  })

  test('several processes bring an empty database up to date, and no lock is left', async () => {
    const { url, drop } = await createDatabase()
    const pools = [1, 2, 3].map(() => connect(bouncer.through(url), { max: 1, log }))
    const ran = await Promise.all(pools.map((pool) => migrate(pool, log)))
    const files = (await readdir(new URL('../migrations/', import.meta.url))).filter((name) => name.endsWith('.sql'))
    expect(ran.flat().toSorted()).toEqual(files.toSorted())
    const { rowCount } = await pools[0]!.query(`select from pg_locks where locktype = 'advisory' and database =
      (select oid from pg_database where datname = current_database())`)
    expect(rowCount).toBe(0)
    await Promise.all(pools.map((pool) => pool.end()))
    await bouncer.command('reconnect')
    await drop()
  })

  /** The address through PgBouncer. In transaction mode the limits are set on the role, as operations.md says. */
  async function lead(url: string): Promise<string> {
    if (mode === 'transaction') {
      await setOnRole(url, 'jit = off')
      await setOnRole(url, 'statement_timeout = 30000')
      await setOnRole(url, 'lock_timeout = 8000')
      await setOnRole(url, 'idle_in_transaction_session_timeout = 5000')
      // The test's clock is a setting of the session, too.
      await setOnRole(url, `${CLOCK_OVERRIDE_SETTING} = 'on'`)
    }
    return bouncer.through(url)
  }
})

describe.skipIf(!isInstalled('pgbouncer'))('a pooler in transaction mode', () => {
  test('is refused until the role has the limits, by an error that says how to set them', async () => {
    const bouncer = await startPgBouncer(inject('postgresUrl'), 'transaction')
    const { url, drop } = await cloneTemplate()
    onTestFinished(async () => {
      await bouncer.close()
      await drop()
    })
    const start = () => createDeps(toConfig(bouncer.through(url)), log)
    const refused = await start().then(() => 'started', String)
    expect(refused).toMatch(/jit is on; statement_timeout is 0 ms.*lends its sessions for one transaction at a time/s)
    const statements = [...refused.matchAll(/alter role [^;]+;/g)].map(([statement]) => statement)
    expect(statements).toHaveLength(4)
    for (const statement of statements) await runSql(url, statement)
    await bouncer.command('reconnect')
    const { deps, close } = await start()
    expect(deps.pool.pooling).toBe('transaction')
    await close()
  })

  test('is refused for commands that take longer than a statement may', async () => {
    const bouncer = await startPgBouncer(inject('postgresUrl'), 'transaction')
    const { url, drop } = await cloneTemplate()
    onTestFinished(async () => {
      await bouncer.close()
      await drop()
    })
    const started = createDeps(toConfig(bouncer.through(url)), log, { limits: { statementMs: 0 } })
    await expect(started).rejects.toThrow('connect to PostgreSQL directly')
  })
})

function toConfig(url: string) {
  return configWith({ NODE_ENV: 'test', DATABASE_URL: url, JWT_SECRET: 'x'.repeat(64), PROCESS: 'web' })
}

async function setOnRole(url: string, setting: string): Promise<void> {
  await runSql(
    url,
    `do $$ begin execute format('alter role %I in database %I set ${setting.replaceAll("'", "''")}', current_user, current_database()); end $$`,
  )
}

/** What four connections at once are set to, each different one once. */
async function readSettings(pool: DbPool): Promise<string[]> {
  const clients = await Promise.all([1, 2].map(() => pool.connect()))
  const found = await Promise.all(
    clients.map(async (client) => {
      const { rows } = await client.query<{ settings: string }>(`select concat_ws(' ', current_setting('jit'),
        current_setting('statement_timeout'), current_setting('lock_timeout'),
        current_setting('idle_in_transaction_session_timeout')) as settings`)
      client.release()
      return rows[0]?.settings ?? ''
    }),
  )
  return [...new Set(found)]
}

async function runningCopies({ deps }: Service): Promise<number> {
  const { rows } = await deps.pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database() and query like 'copy (%' and state = 'active'`,
  )
  return rows[0]!.n
}

async function sentTo({ deps }: Service, messageId: number): Promise<number> {
  const { rows } = await deps.pool.query<{ n: number }>(
    'select count(*)::int as n from notifications where message_id = $1 and is_send',
    [messageId],
  )
  return rows[0]!.n
}
