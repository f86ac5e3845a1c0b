import { spawn, type ChildProcess } from 'node:child_process'
import { chmod, mkdir, open, readFile, realpath, rm, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { lockDataDir } from './data-lock.ts'
import { toDatabaseUrl, keptPassword, readPassword } from './embedded-access.ts'
import { createCluster } from './embedded-cluster.ts'
import { stopLeftover } from './embedded-leftover.ts'
import { findPlace, type Place } from './embedded-place.ts'
import { freePort } from './free-port.ts'
import { errorCode } from '../../server/src/platform/shared/errors.ts'

export type EmbeddedOptions = {
  /** Created when missing. Holds the cluster (or a file that names its place), its password and postgres.log. */
  dataDir: string
  /** Default: any free port. */
  port?: number
  /** PostgreSQL settings that override the ones below, such as `{ fsync: 'off' }` in tests. */
  settings?: Readonly<Record<string, string>>
  /**
   * The folder of another PostgreSQL's programs, such as /usr/lib/postgresql/15/bin. It runs with its own defaults, not
   * with the settings below.
   */
  programs?: string
  log: (line: string) => void
}

export type EmbeddedPostgres = {
  /** Names the database `swapbell`; its role is the cluster's superuser. */
  url: string
  /** The real folder of the cluster. */
  data: string
  exited: Promise<void>
  /** Disconnects all clients, flushes to disk and waits for the end, 40 seconds at most. May be called again. */
  stop(): Promise<void>
  /** Stops PostgreSQL, then deletes the data directory with all its data, also elsewhere. */
  remove(): Promise<void>
}

// These suit a small machine: little write-ahead log, few checkpoints, no replicas. fsync and synchronous_commit stay
// on, so acknowledged work survives a kill -9.
const LOOPBACK = { listen_addresses: '127.0.0.1', unix_socket_directories: '' }
const SETTINGS = {
  max_connections: '100',
  shared_buffers: '256MB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  random_page_cost: '1.1',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '1GB',
  checkpoint_timeout: '10min',
  jit: 'off',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
}

const LARGEST_LOG = 10_000_000
const STARTS_TRIED = 40

/**
 * Starts PostgreSQL on `dataDir`, on loopback only, and creates the database `swapbell` when it is missing. It ends
 * with this process, even after a kill. A server that was still left behind is stopped first. Throws DATA_DIR_IN_USE
 * when another live process has the directory.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  await makeDataDir(options.dataDir)
  const dataDir = await realpath(options.dataDir)
  const lock = await lockDataDir(dataDir)
  try {
    const password = await keptPassword(dataDir)
    const place = await findPlace(dataDir, options.programs)
    if (await isThere(place.data)) await stopLeftover(place.data, options.log)
    else {
      const isVolatile = options.settings?.['fsync'] === 'off'
      await createCluster(place, password, { isVolatile, isPackaged: options.programs === undefined })
    }

    const running = await startServer(place, join(dataDir, 'postgres.log'), password, options)
    const stop = async () => {
      await stopServer(running.server, running.exited)
      await lock.release()
    }
    await createDatabase(running.port, password).catch(async (error: unknown) => {
      await stop()
      throw error
    })
    const remove = async () => {
      await stop()
      await rm(dataDir, { recursive: true })
      if (place.elsewhere !== undefined) await rm(place.elsewhere, { recursive: true })
    }
    return {
      url: toDatabaseUrl(running.port, password, 'swapbell'),
      data: place.data,
      exited: running.exited,
      stop,
      remove,
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Creates the data directory for its owner only; an existing one of ours is closed to others. */
async function makeDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if ((await readPassword(dataDir)) === undefined) return
  const { mode } = await stat(dataDir)
  // When we are root, PostgreSQL runs as another account, which must pass through.
  await chmod(dataDir, mode & (process.getuid?.() === 0 ? 0o711 : 0o700))
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

type Running = { server: ChildProcess; port: number; exited: Promise<void> }

/**
 * Retries after problems that pass: a port that was taken meanwhile, backends of an earlier run that are still ending.
 */
async function startServer(
  place: Place,
  logFile: string,
  password: string,
  options: EmbeddedOptions,
): Promise<Running> {
  for (let tried = 1; ; tried += 1) {
    const port = options.port ?? (await freePort())
    const log = await open(logFile, 'a', 0o600)
    if ((await log.stat()).size > LARGEST_LOG) await log.truncate()
    const from = (await log.stat()).size
    const server = spawnServer(place, port, log.fd, buildSettings(options))
    const exited = new Promise<void>((resolve) => {
      server.once('exit', () => resolve())
      server.once('error', () => resolve())
    })
    await log.close()
    try {
      if (await answers(port, password, exited)) return { server, port, exited }
    } catch (error) {
      await stopServer(server, exited)
      throw error
    }
    const output = (await readFile(logFile)).subarray(from).toString().trim()
    const passes = /Address already in use|pre-existing shared memory block/.test(output)
    if (!passes || tried === STARTS_TRIED) throw new Error(`PostgreSQL did not start on port ${port}: ${output}`)
    await sleep(250)
  }
}

function buildSettings({ programs, settings }: EmbeddedOptions): Record<string, string> {
  return { ...LOOPBACK, ...(programs === undefined && SETTINGS), ...settings }
}

/**
 * Starts the server in its own process group, so that Ctrl-C in a terminal does not end it before its users. A guard
 * reads its standard input, which closes when this process ends for any reason, and then stops PostgreSQL.
 */
function spawnServer(place: Place, port: number, logFd: number, settings: Record<string, string>): ChildProcess {
  const values = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const args = ['-D', place.data, '-p', String(port), ...values]
  const as = { ...place.account, cwd: '/', env: { LC_ALL: 'C' }, detached: true }
  const server = spawn(join(place.bin, 'postgres'), args, { ...as, stdio: ['ignore', logFd, logFd] })
  server.unref()
  if (server.pid === undefined) return server

  const script = 'read -r _; kill -INT "$1" 2>/dev/null'
  const stdio: ['pipe', 'ignore', 'ignore'] = ['pipe', 'ignore', 'ignore']
  const guard = spawn('/bin/sh', ['-c', script, 'sh', String(server.pid)], { ...as, stdio })
  guard.unref()
  if (guard.stdin instanceof Socket) guard.stdin.unref()
  server.once('exit', () => guard.kill('SIGKILL'))
  return server
}

/** Waits until PostgreSQL accepts our password, including recovery after a crash; false when it ended instead. */
async function answers(port: number, password: string, exited: Promise<void>): Promise<boolean> {
  const ended = exited.then(() => 'ended' as const)
  for (;;) {
    const outcome = await Promise.race([ended, tryConnect(port, password)])
    if (outcome === 'ended') return false
    if (outcome === 'in') return true
    await sleep(25)
  }
}

async function tryConnect(port: number, password: string): Promise<'in' | 'not yet'> {
  const client = new Client({
    connectionString: toDatabaseUrl(port, password, 'postgres'),
    connectionTimeoutMillis: 2000,
  })
  try {
    await client.connect()
    await client.end()
    return 'in'
  } catch (error) {
    const code = errorCode(error)
    // 57P03: the database system is starting up.
    if (code === undefined || code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === '57P03') return 'not yet'
    throw error
  }
}

async function createDatabase(port: number, password: string): Promise<void> {
  const client = new Client({ connectionString: toDatabaseUrl(port, password, 'postgres') })
  await client.connect()
  const { rowCount } = await client.query(`select from pg_database where datname = 'swapbell'`)
  if (rowCount === 0) await client.query('create database swapbell')
  await client.end()
}

async function stopServer(server: ChildProcess, exited: Promise<void>): Promise<void> {
  server.ref()
  for (const [signal, seconds] of [
    ['SIGINT', 25],
    ['SIGQUIT', 10],
    ['SIGKILL', 5],
  ] as const) {
    server.kill(signal)
    const patience = new AbortController()
    const late = sleep(seconds * 1000, 'late' as const, { signal: patience.signal }).catch(() => 'late' as const)
    const outcome = await Promise.race([exited, late])
    patience.abort()
    if (outcome !== 'late') return
  }
}
