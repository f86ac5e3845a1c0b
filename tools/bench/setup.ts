import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { freePort } from '../../local-postgres/src/free-port.ts'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { connect, type DbPool } from '../../server/src/platform/db/connect.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { createLog } from '../../server/src/platform/shared/log.ts'
import { environmentWith } from '../../server/test/support/environment.ts'
import { NODE_FLAGS } from './node-flags.ts'
import { otherPrograms, startPostgres } from '../../server/test/support/postgres.ts'

export type Part = AsyncDisposable & { url: string; pid: number; stop(): Promise<void> }

/** What a benchmark runs on: a PostgreSQL with its usual durability, and a process of its own for each part. */
export type Bench = {
  pool: DbPool
  /** The address of the database. */
  url: string
  /** Its version and settings, in words. */
  server: string
  /** Starts the simulator; `latencyMs` is how long it takes to answer, without `ratePerSecond` it refuses nothing. */
  simulator(options: { latencyMs: number; ratePerSecond?: number }): Promise<Part>
  /** Starts a process of the service with these settings over the benchmark's own. */
  service(settings: Record<string, string>): Promise<Part>
  /** Starts any other script, which reports over IPC when it is ready. */
  script(file: string, env: Record<string, string>): Promise<Part>
  close(): Promise<void>
}

export const BENCH_JWT_SECRET = 'a signing key of the benchmark alone, 64 bytes of it or even more'

const SERVER = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))
// operations.md advises this cache. It stays, so only the first run of a version compiles.
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/swapbell-bench', import.meta.url))
const SIMULATOR = fileURLToPath(new URL('../../simulator/src/main.ts', import.meta.url))

// The settings on which a benchmark's figures depend.
const TOLD = [
  'jit',
  'shared_buffers',
  'work_mem',
  'random_page_cost',
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'max_wal_size',
]

/**
 * Starts PostgreSQL in a folder of its own and migrates it; another one than the embedded where TEST_POSTGRES names it.
 * If the address of a database is given, that one is migrated and measured.
 */
export async function startBench(database?: string): Promise<Bench> {
  const postgres = database === undefined ? await startOwnPostgres() : { url: database, remove: async () => {} }
  const log = createLog('silent')
  // The preparation of a benchmark may take minutes.
  const limits = { statementMs: 0, lockMs: 0, idleMs: 0, silenceMs: 0 }
  const pool = connect(postgres.url, { max: 8, log, limits })
  await migrate(pool, log)
  // The official client reads its address once, so every simulator of a run has the same.
  const simulatorPort = String(await freePort())
  const script = (file: string, env: Record<string, string>) => startPart(file, { DATABASE_URL: postgres.url, ...env })
  return {
    pool,
    url: postgres.url,
    server: await describeServer(postgres.url, database === undefined),
    script,
    simulator: (options) => startSimulator({ ...options, port: simulatorPort }),
    service: (settings) => script(SERVER, { ...BENCH_SETTINGS, ...settings }),
    close: async () => {
      await pool.end()
      await postgres.remove()
    },
  }
}

export const BENCH_SETTINGS = {
  JWT_SECRET: BENCH_JWT_SECRET,
  PORT: '0',
  RATE_LIMITS: 'off',
  PUSH_RATE_PER_SECOND: '0',
  LOG_LEVEL: 'warn',
}

export function startSimulator(options: { latencyMs: number; ratePerSecond?: number; port?: string }): Promise<Part> {
  return startPart(SIMULATOR, {
    SIM_PORT: options.port ?? '0',
    SIM_RATE_PER_SECOND: String(options.ratePerSecond ?? 0),
    SIM_LATENCY_MS: String(options.latencyMs),
    SIM_RECEIPT_DELAY_MS: '0',
  })
}

async function startOwnPostgres() {
  const dataDir = await mkdtemp(join(tmpdir(), 'swapbell-bench-'))
  return startPostgres({ dataDir, settings: { shared_buffers: '1GB', max_wal_size: '4GB' } })
}

/** The server's own settings, read on a separate connection, because ours switch JIT off. */
async function describeServer(url: string, isOwn: boolean): Promise<string> {
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query<{ name: string; value: string }>(
    'select name, current_setting(name) as value from unnest($1::text[]) name',
    [['server_version', ...TOLD]],
  )
  await client.end()
  const [version, ...settings] = rows
  const kind = isOwn && otherPrograms() === undefined ? 'embedded' : 'with its own settings'
  return `PostgreSQL ${version?.value}, ${kind}: ${settings.map(({ name, value }) => `${name} ${value}`).join(', ')}`
}

// Node may wait for a thread of its own for ever as it exits (nodejs/node#54918).
const STOPPED_MS = 60_000

/** Starts a script as a process, which reports over IPC when it is ready. */
export async function startPart(file: string, env: Record<string, string>): Promise<Part> {
  const child = spawn(process.execPath, [...NODE_FLAGS, file], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, MALLOC_ARENA_MAX: '1', ...(await settingsFor(file, env)) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const url = await readyUrl(child, file)
  const stop = async () => {
    if (child.exitCode !== null) return
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), STOPPED_MS)
    await once(child, 'exit')
    clearTimeout(late)
  }
  return { url, pid: child.pid ?? 0, stop, [Symbol.asyncDispose]: stop }
}

// A process ends at once where there is no proxy.
const NO_PROXY = { LAME_DUCK_SECONDS: '0', PROXY_KEEP_ALIVE_SECONDS: '0' }

/** A server of before 1.0 reads its limits from the environment. */
async function settingsFor(file: string, env: Record<string, string>): Promise<Record<string, string>> {
  const settings = { ...NO_PROXY, ...env }
  const isOld = file.endsWith('main.ts') && !existsSync(join(dirname(file), 'platform/config/read-config.ts'))
  return isOld ? settings : environmentWith(settings, await mkdtemp(join(tmpdir(), 'swapbell-limits-')))
}

async function readyUrl(child: ChildProcess, file: string): Promise<string> {
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${file} ended before it was ready.`)
  })
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ url?: string }]
  return message.url ?? ''
}
