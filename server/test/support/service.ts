import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { TestClock } from 'pg-boss'
import { inject } from 'vitest'
import { startSimulator, type Simulator } from '../../../simulator/src/server.ts'
import { configWith, type Config } from '../../src/platform/config/config.ts'
import { providersFile } from '../../src/platform/config/providers-file.ts'
import { MIGRATIONS } from '../../src/platform/db/migrations.ts'
import type { Limits } from '../../src/platform/db/session.ts'
import { createDeps } from '../../src/deps.ts'
import { registerAuditKey } from '../../src/platform/audit/keys.ts'
import type { App, RouteTable } from '../../src/platform/http/routes.ts'
import { createLog } from '../../src/platform/shared/log.ts'
import { TOKEN_FORMS, type ListInstances } from '../../src/push/provider/registry.ts'
import { buildAnother } from './build-app.ts'
import { createGiven, type Given } from './given.ts'
import { withFirstProvider, type TestDeps } from './providers.ts'
import { watchForSecrets, type SecretWatch } from './secrets.ts'
import { recordWrites } from './written-together.ts'
import { runSql } from './run-sql.ts'

const JWT_SECRET = 'a key for signing that only the tests know, 64 bytes of it or more'

/** A push service that is listed beside the double, and cannot be reached. */
export const OTHER_BROWSERS = 'push.invalid'

const HOUR_MS = 3_600_000

/** The whole service on a database of its own, with the simulator as its provider and a clock that the test holds. */
export type Service = {
  app: App
  routes: RouteTable
  deps: TestDeps
  clock: TestClock
  simulator: Simulator
  given: Given
  logged(): string
  close(): Promise<void>
}

/** How a service under test reaches its database. */
export type Way = {
  /** Waits that differ (ADR 9). */
  limits?: Partial<Limits>
  /** Its providers; absent: Expo, and what PUSH_PROVIDERS_FILE has. */
  registry?: ListInstances
  /** Starts the doubles of Apple, Google and a browser's service beside Expo's, by PUSH_PROVIDERS_FILE. */
  isDirect?: boolean
  /**
   * Prepares its database before the service starts; gives the address that the service is told, such as that of a
   * pooler.
   */
  lead?: (url: string) => string | Promise<string>
  /** Into how many homes people are divided, whose ids are spread over them; absent: TEST_HOMES, or one. */
  homes?: number
}

const HOMES = Number(process.env['TEST_HOMES'] ?? 1)

/** Many at once wait longer than callers would on a busy machine; what must be fast has its own test. */
const PATIENT: Partial<Limits> = {
  connectMs: 30_000,
  statementMs: 300_000,
  lockMs: 40_000,
  idleMs: 30_000,
  silenceMs: 310_000,
}

/** Starts a service; `overrides` are settings that differ from the defaults. Closing it fails when a secret leaked. */
export async function startService(
  overrides: Partial<Config> = {},
  { lead, registry, isDirect = false, limits = lead ? undefined : PATIENT, homes = HOMES }: Way = {},
): Promise<Service> {
  const database = await cloneTemplate(homes)
  // Ahead of the database's own time, which marks when an immediate job is due: else such a job would wait for it.
  const clock = new TestClock(Date.now() + HOUR_MS)
  const folder = isDirect ? await mkdtemp(join(tmpdir(), 'swapbell-providers-')) : ''
  const simulator = await startSimulator({
    port: 0,
    ratePerSecond: 0,
    receiptDelayMs: 0,
    now: () => clock.now(),
    providersFolder: folder,
    browserHosts: [OTHER_BROWSERS],
  })
  const secrets = watchForSecrets()
  // Each test looks for its own lines: none is told in a line before.
  const log = createLog('debug', capture(secrets), { tokens: TOKEN_FORMS, now: countMinutes() })
  const config = configWith({
    NODE_ENV: 'test',
    DATABASE_URL: lead ? await lead(database.url) : database.url,
    DATABASE_POOL: 8,
    JWT_SECRET,
    EXPO_BASE_URL: simulator.url,
    PUSH_RATE_PER_SECOND: 0,
    RATE_LIMITS: 'off',
    PROCESS: 'web',
    // Tests that call every address wait for its answer.
    STREAM_SECONDS: 0.05,
    PUSH_PROVIDERS_FILE: readProviders(simulator),
    ...overrides,
  })
  const parts = await createDeps(config, log, {
    clock,
    ...(registry && { registry }),
    ...(limits && { limits }),
    isPrepared: lead === undefined && overrides.DATABASE_URL === undefined,
  })
  const { close } = parts
  const deps = withFirstProvider(parts.deps)
  await registerAuditKey(deps)
  const { app, routes, connections } = await buildAnother(deps)
  secrets.watchAnswers(app)
  return {
    app,
    routes,
    deps,
    clock,
    simulator,
    given: createGiven(deps),
    logged: () => secrets.logged(),
    close: async () => {
      const closed = app.close()
      // A client may hold a connection without a request. Node does not count it as idle, and would wait for it.
      connections.endIdle()
      await closed
      await close()
      await simulator.close()
      if (folder) await rm(folder, { recursive: true })
      await database.drop()
      secrets.expectNoLeak()
    },
  }
}

function readProviders({ providersFile: file }: Simulator): Config['PUSH_PROVIDERS_FILE'] {
  return file === undefined ? [] : providersFile('').read(file, {})
}

/**
 * Neighbours have ids in other blocks of 512, which are in other homes. A catalog like that of a Citus says that this
 * server has all homes, so it is asked as one that has some.
 */
async function divide(url: string, homes: number): Promise<void> {
  const { hostname, port } = new URL(url)
  const homeMessages = await readFile(new URL('divided/home-messages.sql', MIGRATIONS), 'utf8')
  await runSql(
    url,
    `${homeMessages}; update division set homes = ${homes}; alter table users alter user_id set increment by 397;
    create table pg_dist_node as select 1 as groupid, '${hostname}' as nodename, ${port} as nodeport,
      'primary' as noderole, true as isactive, true as metadatasynced;
    create table pg_dist_placement as select home::bigint as shardid, 1 as groupid
      from generate_series(0, ${homes} - 1) home;
    create function get_shard_id_for_distribution_column(name text, home int) returns bigint
      immutable return home::bigint`,
  )
}

type Database = { url: string; drop(): Promise<void> }

/** A migrated database of its own. RECORD_WRITES names the file of `two-phases.test.ts`. */
export async function cloneTemplate(homes = 1): Promise<Database> {
  const database = await createDatabase('template')
  if (homes > 1) await divide(database.url, homes)
  const file = process.env['RECORD_WRITES']
  return file === undefined ? database : recordWrites(database, file)
}

/** A database of its own: a copy of `template`, or an empty one. */
export async function createDatabase(template = 'template1'): Promise<Database> {
  const url = new URL(inject('postgresUrl'))
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administrator().query(`create database ${name} template ${template} strategy file_copy`)
  url.pathname = `/${name}`
  const drop = async () => {
    await untilUnused(name)
    await administrator().query(`drop database ${name} with (force)`)
  }
  return { url: url.href, drop }
}

function capture(secrets: SecretWatch): PassThrough {
  const stream = new PassThrough()
  stream.on('data', (chunk: Buffer) => secrets.sawLog(chunk.toString('utf8')))
  return stream
}

// A connection takes longer than what it is asked for, so each worker keeps one.
const administrators = new Map<string, Pool>()

function administrator(): Pool {
  const url = inject('postgresUrl')
  const kept = administrators.get(url)
  if (kept !== undefined) return kept
  const pool = new Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
  // PostgreSQL may end before the worker does.
  pool.on('error', () => undefined)
  administrators.set(url, pool)
  return pool
}

/** Waits a moment for connections that are just closing: cut off, they would fail after their owner is gone. */
async function untilUnused(name: string): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    const open = await administrator().query('select 1 from pg_stat_activity where datname = $1', [name])
    if (open.rowCount === 0) break
    await sleep(25)
  }
}

function countMinutes(): () => number {
  let minutes = 0
  return () => minutes++ * 60_000
}
