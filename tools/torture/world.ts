import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import type { SimulatorOptions } from '../../simulator/src/settings.ts'
import { connect } from '../../server/src/platform/db/connect.ts'
import { createLog } from '../../server/src/platform/shared/log.ts'
import { ADMIN, sendToAll, signIn } from './api.ts'
import type { Environment } from './environment.ts'
import { insertPeople } from './people.ts'
import { dividePhones, type PhoneKind } from './phones.ts'
import { OWN_RELEASE, startProcess, type Process } from './processes.ts'
import { startProvider, type Provider } from './provider.ts'
import { toRandom, type Random } from '../../server/test/support/random.ts'
import { hurryTime, type Time } from './time.ts'
import { until } from '../../server/test/support/until.ts'

/** How much of a scenario is run. */
export type Plan = {
  seed: number
  users: number
  kills: number
  /** How long the database is down in the scenario about a long outage. */
  outageSeconds: number
  /** How long a transaction of the service may wait before it begins, or after it has committed; 0: none waits. */
  waitsMs: number
}

/** What a scenario runs in: a database with users, a provider, and processes of the service. */
export type World = {
  plan: Plan
  random: Random
  pool: Pool
  /** The processes of the service get it. */
  databaseUrl: string
  /** The same database at the workers of a Citus; none: it is not divided. */
  workerUrls: string[]
  /** Its processes write their log files there. */
  folder: string
  provider: Provider
  time: Time
  /**
   * Starts an API or worker process with these settings over the world's. Its log is in `folder`, or in `logFolder`.
   */
  startWeb(settings?: Settings, where?: Where): Promise<Process>
  startWorker(settings?: Settings, where?: Where): Promise<Process>
}
/** Where a process runs, when not as all others: the folder of its log, and the checkout whose server it is. */
type Where = { logFolder?: string; release?: string }
export type Settings = Record<string, string>

/**
 * `kinds`: those among which the phones are divided, when not all are Expo's. `release`: the checkout whose server its
 * processes are, when it is not this one.
 */
export type WorldOptions = {
  settings?: Settings
  provider?: SimulatorOptions
  users?: number
  kinds?: readonly PhoneKind[]
  release?: string
}

export const JWT_SECRET = 'a signing key of the torture alone, 64 bytes of it or even more'

const SETTINGS: Settings = {
  NODE_ENV: 'test',
  JWT_SECRET,
  PORT: '0',
  DATABASE_POOL: '8',
  RATE_LIMITS: 'off',
  LAME_DUCK_SECONDS: '0',
  PROXY_KEEP_ALIVE_SECONDS: '0',
  LOG_LEVEL: 'info',
  PUSH_RATE_PER_SECOND: '0',
  PUSH_TIMEOUT_SECONDS: '0.7',
  PUSH_LEASE_SECONDS: '1.2',
  PUSH_RETRY_DELAY_SECONDS: '0.2',
}
const DRAIN_MS = 60_000
// A push service that is listed and never reached, so that the double is the only one that tells whether browsers are.
const UNREACHABLE = 'localhost:1'

/** Runs `work` in its own world; returns its result, what failed when the processes were stopped, and deadlocks. */
export async function inWorld<T>(
  environment: Environment,
  { name, plan, worldOptions = {} }: { name: string; plan: Plan; worldOptions?: WorldOptions },
  work: (world: World) => Promise<T>,
): Promise<{ result: T; stopFaults: string[] }> {
  const folder = join(environment.folder, name)
  await mkdir(folder, { recursive: true })
  const { url, direct, workers: workerUrls = [] } = await environment.newDatabase(name)
  // Our own statements may wait: some scenarios stop PostgreSQL or hold rows.
  const limits = { statementMs: 60_000, lockMs: 0, idleMs: 0, silenceMs: 0 }
  const pool = connect(`${direct}?application_name=torture`, { max: 4, log: createLog('silent'), limits })
  const random = toRandom(plan.seed, name)
  await insertPeople(pool, worldOptions.users ?? plan.users, random)
  const { kinds } = worldOptions
  const doubles = kinds === undefined ? {} : { providersFolder: join(folder, 'providers'), browserHosts: [UNREACHABLE] }
  const provider = await startProvider({ ...doubles, ...worldOptions.provider })
  if (kinds !== undefined) await dividePhones(pool, { direct: provider.direct(), random }, kinds)
  const time = await hurryTime(direct, pool)
  const starting: Promise<Process>[] = []
  const names = countUp()
  const start = async (kind: 'web' | 'worker', settings: Settings = {}, where: Where = {}) => {
    const { logFolder = folder, release = worldOptions.release ?? OWN_RELEASE } = where
    const own = `${kind}-${names()}`
    const process = startProcess(
      own,
      { log: logFolder, release },
      {
        ...SETTINGS,
        ...ADMIN,
        DATABASE_URL: `${url}?application_name=${own}`,
        EXPO_BASE_URL: provider.url,
        ...(provider.providersFile !== undefined && { PUSH_PROVIDERS_FILE: provider.providersFile }),
        PROCESS: kind,
        ...toWaits(plan, own),
        ...worldOptions.settings,
        ...settings,
      },
    )
    starting.push(process)
    return process
  }
  const world: World = {
    plan,
    random,
    pool,
    databaseUrl: url,
    workerUrls,
    folder,
    provider,
    time,
    startWeb: (settings, where) => start('web', settings, where),
    startWorker: (settings, where) => start('worker', settings, where),
  }
  const stopFaults: string[] = []
  try {
    return { result: await work(world), stopFaults }
  } finally {
    const started = await Promise.allSettled(starting)
    stopFaults.push(...(await stopAll(started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))))
    // Each session has reported them when it ended.
    stopFaults.push(...(await findDeadlocks(pool)))
    await time.stop()
    await provider.close()
    await pool.end()
  }
}

/**
 * Starts an API and this many workers at once, with these settings over the world's; returns them with the
 * administrator's token.
 */
export async function startService(
  world: World,
  workers: number,
  settings: Settings = {},
): Promise<{ web: Process; token: string; workers: Process[] }> {
  const [web, ...rest] = await Promise.all([
    world.startWeb(settings),
    ...Array.from({ length: workers }, () => world.startWorker(settings)),
  ])
  return { web, token: await signIn(web.url), workers: rest }
}

/** Starts a campaign to everyone and waits until some of it has been accepted. */
export async function startCampaign(world: World, web: Process, token: string): Promise<number> {
  const before = world.provider.accepted().length
  const messageId = await sendToAll(web.url, token)
  await until('a push was accepted', DRAIN_MS, () => world.provider.accepted().length > before)
  return messageId
}

/** Whether a campaign is being sent. */
export async function isBusy({ pool }: World): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from messages where status in ('queued', 'sending') and lane = 'campaign' limit 1`,
  )
  return rowCount === 1
}

/** Waits until messages are over and no request is in flight. */
export async function drain(world: World, messageIds: number[], withinMs = DRAIN_MS): Promise<void> {
  await until('the messages were over', withinMs, async () => {
    const { rows } = await world.pool
      .query<{ open: number }>(
        `select ((select count(*) from messages where message_id = any($1) and status not in ('completed', 'stopped'))
           + (select count(*) from work where message_id = any($1))
           + (select count(*) from requests where outcome is null))::int as open`,
        [messageIds],
      )
      .catch(() => ({ rows: [] }))
    return rows[0]?.open === 0
  })
}

function toWaits({ waitsMs, seed }: Plan, name: string): Settings {
  if (waitsMs === 0) return {}
  const preload = new URL('transaction-waits.ts', import.meta.url).href
  return {
    NODE_OPTIONS: `--import ${preload}`,
    WAITS_MS: String(waitsMs),
    WAITS_SEED: String(seed),
    WAITS_OF: name,
  }
}

/** None may happen, although they are run again. */
async function findDeadlocks(pool: Pool): Promise<string[]> {
  const counted = pool.query<{ n: number }>(
    'select deadlocks::int as n from pg_stat_database where datname = current_database()',
  )
  return counted.then(
    ({ rows: [row] }) => (row?.n === 0 ? [] : [`PostgreSQL counts ${row?.n} deadlocks`]),
    (error: unknown) => [`the deadlocks could not be counted: ${String(error)}`],
  )
}

function countUp(): () => number {
  let count = 0
  return () => ++count
}

/** Every running process must end cleanly on SIGTERM. */
async function stopAll(processes: Process[]): Promise<string[]> {
  const ends = await Promise.all(
    processes
      .filter((process) => process.isRunning())
      .map(async (process) => {
        process.thaw()
        return { name: process.name, ...(await process.terminate()) }
      }),
  )
  return ends.flatMap(({ name, code, ms, lastWords }) =>
    code === 0 ? [] : [`${name} ended with ${code} after ${ms} ms: ${lastWords}`],
  )
}
