// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { EmbeddedPostgres } from '../../local-postgres/src/embedded.ts'
import { inTransaction } from '../src/platform/db/transaction.ts'
import { settle } from '../src/push/pipeline/settle.ts'
import { callAll, claimAll } from './support/attempt.ts'
import { expectTruth, send, usersWithPhones } from './support/campaign.ts'
import { drain } from './support/drain.ts'
import { expectError } from './support/faults.ts'
import type { GivenUser } from './support/given.ts'
import { startPostgres } from './support/postgres.ts'
import { startService, type Service } from './support/service.ts'

let folder: string
let postgres: EmbeddedPostgres
let service: Service
let user: GivenUser

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swapbell-unavailable-'))
  postgres = await start()
  service = await startService({}, { lead: () => postgres.url })
  user = await service.given.user()
})

afterAll(async () => {
  await service.close()
  await postgres.remove()
})

// The second for which a session stays in memory is over then.
beforeEach(() => service.clock.setTime(service.clock.now() + 2_000))

describe('a PostgreSQL that is a standby', () => {
  test('gets 503 for every call and no traffic; once it is promoted, all is served', async () => {
    await postgres.stop()
    await writeFile(join(postgres.data, 'standby.signal'), '')
    postgres = await start(Number(new URL(postgres.url).port))
    expect(await ask('select pg_is_in_recovery() as answer')).toBe(true)
    await expectUnavailable()
    await ask('select pg_promote()')
    await expectAvailable()
  })
})

describe('a PostgreSQL that was set to read only', () => {
  test('gets 503, and its connections are closed when they say so', async () => {
    await expectAvailable()
    const { pool, db } = service.deps
    await setReadOnly(true)
    onTestFinished(() => setReadOnly(false))
    const connections = pool.totalCount
    expect(connections).toBeGreaterThan(0)
    const write = () => inTransaction(db, (tx) => tx.deleteFrom('rate_limits').execute())
    await expect(write()).rejects.toMatchObject({ code: '25006' })
    expect(pool.totalCount).toBeLessThan(connections)
    while (pool.totalCount > 0) await expect(write()).rejects.toMatchObject({ code: '25006' })
    await expectUnavailable()
    await setReadOnly(false)
    await expectAvailable()
  })

  test('is waited for with the tickets in hand: nothing is sent twice', async () => {
    const messageId = await send(service, await usersWithPhones(service, 5))
    const claim = await claimAll(service, messageId)
    const answers = await callAll(service, claim)
    await setReadOnly(true)
    onTestFinished(() => setReadOnly(false))
    const settling = settle(service.deps, claim, answers)
    await expect.poll(() => service.logged()).toContain('tickets could not be stored yet')
    await setReadOnly(false)
    await settling
    await drain(service)
    await expectTruth(service, messageId)
    expect(service.simulator.log()).toHaveLength(5)
  })
})

describe('a PostgreSQL that refuses connections', () => {
  test('because it has no more of them gets 503, and is served again when it has', async () => {
    const taken: Client[] = []
    const giveBack = () => Promise.all(taken.splice(0).map((client) => client.end()))
    onTestFinished(async () => void (await giveBack()))
    // The service may have opened one meanwhile.
    do {
      await closeConnections(taken)
      taken.push(...(await takeAllConnections()))
    } while (service.deps.pool.totalCount > 0)
    await expectUnavailable()
    await giveBack()
    await expectAvailable()
  })

  test('because the database takes none (55000) gets 503', async () => {
    await ask('alter database swapbell allow_connections false')
    onTestFinished(() => ask('alter database swapbell allow_connections true').then(() => undefined))
    await closeConnections()
    await expectUnavailable()
    await ask('alter database swapbell allow_connections true')
    await expectAvailable()
  })

  test('because the database does not exist gets 503', async () => {
    const port = Number(new URL(postgres.url).port)
    await postgres.stop()
    await expectUnavailable()
    postgres = await start(port)
    await expectAvailable()
  })
})

test('what waits too long for another transaction gets 503 with a time to come back', async () => {
  const { headers } = user
  const { pool } = service.deps
  const payload = { token: 'ExponentPushToken[locked]', device_id: 'locked', platform: 'ios' }
  await pool.query(`
    create function be_locked() returns trigger language plpgsql as $$
      begin raise 'canceling statement due to lock timeout' using errcode = '55P03'; end $$;
    create trigger be_locked before insert on mobile_devices for each statement execute function be_locked()`)
  const answer = await service.app.inject({ method: 'POST', url: '/api/user/save-phone-token', headers, payload })
  await pool.query('drop trigger be_locked on mobile_devices; drop function be_locked')
  expectLater(answer)
})

test('what is ended because it took too long, or was cancelled, gets 503 with a time to come back', async () => {
  const holder = new Client(service.deps.config.DATABASE_URL)
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('begin; lock table entries')
  const { headers } = user
  const asking = Promise.resolve(service.app.inject({ url: '/api/v1/inbox', headers }))
  // PostgreSQL says the same of a statement that was cancelled and of one that took too long.
  const cancel = "select pg_cancel_backend(pid) from pg_locks where relation = 'entries'::regclass and not granted"
  await expect.poll(async () => (await holder.query(cancel)).rowCount).toBe(1)
  expectLater(await asking)
})

async function start(port?: number): Promise<EmbeddedPostgres> {
  const started = await startPostgres({
    dataDir: folder,
    // A standby needs this setting; PostgreSQL has it by default.
    settings: { wal_level: 'replica', fsync: 'off', max_connections: '40' },
    ...(port !== undefined && { port }),
  })
  return started
}

/** Liveness stays; readiness, a read and a write are 503 with a time to come back, and never 500. */
async function expectUnavailable(): Promise<void> {
  expect((await service.app.inject({ url: '/api/health' })).statusCode).toBe(200)
  // An answer about readiness counts for a second.
  await expect.poll(async () => (await service.app.inject('/api/ready')).statusCode).toBe(503)
  for (const call of calls()) {
    expectLater(await service.app.inject(call))
  }
}

function expectLater(answer: Parameters<typeof expectError>[0]): void {
  expectError(answer, 503, 'SERVICE_UNAVAILABLE')
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
}

async function expectAvailable(): Promise<void> {
  for (const call of calls()) {
    const serve = async () => (await service.app.inject(call)).statusCode
    await expect.poll(serve).toBe(200)
  }
}

function calls() {
  const { headers } = user
  const payload = { token: 'ExponentPushToken[unavailable]', device_id: 'phone', platform: 'ios' }
  return [
    { url: '/api/ready' },
    { url: '/api/notification', headers },
    { method: 'POST', url: '/api/user/save-phone-token', headers, payload },
  ] as const
}

/** Asks over an open connection, or on one of its own, of another database. */
async function ask(statement: string, open?: Client): Promise<unknown> {
  const client = open ?? new Client(Object.assign(new URL(postgres.url), { pathname: '/postgres' }).href)
  if (open === undefined) await client.connect()
  try {
    const { rows } = await client.query<{ answer?: unknown }>(statement)
    return rows[0]?.answer
  } finally {
    if (open === undefined) await client.end()
  }
}

async function setReadOnly(isReadOnly: boolean): Promise<void> {
  await ask(`alter system set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`)
  await ask('select pg_reload_conf()')
  // Sessions take it over between two statements.
  await expect.poll(() => ask(`select current_setting('transaction_read_only')::boolean as answer`)).toBe(isReadOnly)
}

/** All but those of `kept`, over one of which it asks: PostgreSQL may take no more. */
async function closeConnections(kept: Client[] = []): Promise<void> {
  const others = `datname = 'swapbell' and pid <> all ('{${kept.map(findBackend).join()}}'::int[])`
  await ask(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`, kept[0])
  const open = () => ask(`select count(*)::int as answer from pg_stat_activity where ${others}`, kept[0])
  await expect.poll(open).toBe(0)
  await expect.poll(() => service.deps.pool.totalCount).toBe(0)
}

/** The id of the process that serves a connection; the types of the driver do not have it. */
function findBackend(client: Client): number {
  return (client as Client & { processID: number }).processID
}

/** Connects until PostgreSQL refuses. */
async function takeAllConnections(): Promise<Client[]> {
  const taken: Client[] = []
  for (;;) {
    const client = new Client(postgres.url)
    client.on('error', () => undefined)
    try {
      await client.connect()
      taken.push(client)
    } catch (error) {
      expect(error).toMatchObject({ code: '53300' })
      return taken
    }
  }
}
