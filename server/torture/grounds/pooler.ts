import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPlace } from '../../src/db/embedded-place.ts'
import { describeCluster, startCluster } from '../cluster.ts'
import {
  cloneTemplate,
  newFolder,
  prepareTemplate,
  removeFolder,
  type Ground,
  type GroundOptions,
  type Lack,
} from '../ground.ts'
import { until } from '../until.ts'

/** A server behind PgBouncer, which can be restarted. */
export type PoolerGround = Ground & {
  /** Ends PgBouncer at once, lets `awayMs` pass and starts it at the same address. */
  restartPooler(awayMs: number): Promise<void>
}

// Of the system: Debian's package pgbouncer.
const PGBOUNCER = 'pgbouncer'

type Mode = 'session' | 'transaction'

// In session mode a connection of the service holds one of the server's, and four processes open up to 16 each.
const SERVER_CONNECTIONS = { session: 150, transaction: 30 }

// What docs/operations.md asks for in transaction mode, where a session keeps no settings.
const ON_THE_ROLE = [
  'jit = off',
  'statement_timeout = 30000',
  'lock_timeout = 8000',
  'idle_in_transaction_session_timeout = 5000',
]

export const startSessionPooler = async (options: GroundOptions): Promise<PoolerGround | Lack> =>
  startPooler(options, 'session')
export const startTransactionPooler = async (options: GroundOptions): Promise<PoolerGround | Lack> =>
  startPooler(options, 'transaction')

async function startPooler({ programs }: GroundOptions, mode: Mode): Promise<PoolerGround | Lack> {
  const version = await versionOfPgBouncer()
  if (version === undefined) return { lacks: 'PgBouncer is not installed' }
  const folder = await newFolder()
  const dataDir = join(folder, 'postgres')
  const cluster = await startCluster({ dataDir, programs })
  await prepareTemplate(cluster)
  const port = await freePort()
  const config = await writeConfig(folder, { mode, port, server: new URL(cluster.url('postgres')) })
  // It refuses to run as root, as PostgreSQL does.
  const { account } = await findPlace(dataDir, programs)
  const launch = async () => launchPooler(folder, config, account, port)
  let pooler = await launch()
  return {
    folder,
    server: `${await describeCluster(cluster)}, behind ${version} in ${mode} mode`,
    newDatabase: async (name) => {
      const direct = await cloneTemplate(cluster, name)
      if (mode === 'transaction')
        for (const setting of ON_THE_ROLE)
          await cluster.query(`alter role swapbell in database "${name}" set ${setting}`)
      return { direct, url: Object.assign(new URL(direct), { port: String(port) }).href }
    },
    restartPooler: async (awayMs) => {
      await endPooler(pooler)
      await new Promise((resolve) => setTimeout(resolve, awayMs))
      pooler = await launch()
    },
    close: async (keepFolder) => {
      await endPooler(pooler)
      await (keepFolder ? cluster.stop('fast') : cluster.remove())
      if (!keepFolder) await removeFolder(folder)
    },
  }
}

async function versionOfPgBouncer(): Promise<string | undefined> {
  return promisify(execFile)(PGBOUNCER, ['--version']).then(
    ({ stdout }) => stdout.split('\n')[0],
    () => undefined,
  )
}

/** Writes what docs/operations.md asks of PgBouncer, and nothing else that is not its default but addresses and sizes. */
async function writeConfig(folder: string, at: { mode: Mode; port: number; server: URL }): Promise<string> {
  const { mode, port, server } = at
  const users = join(folder, 'pgbouncer-users.txt')
  const config = join(folder, 'pgbouncer.ini')
  await writeFile(users, `"${server.username}" "${server.password}"\n`, { mode: 0o644 })
  const lines = [
    '[databases]',
    `* = host=127.0.0.1 port=${server.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${users}`,
    `pool_mode = ${mode}`,
    'max_client_conn = 500',
    `default_pool_size = ${SERVER_CONNECTIONS[mode]}`,
  ]
  await writeFile(config, `${lines.join('\n')}\n`)
  return config
}

type Account = { uid: number; gid: number } | undefined

/** A guard ends it at the end of this process, however that comes. */
async function launchPooler(folder: string, config: string, account: Account, port: number): Promise<ChildProcess> {
  const log = await open(join(folder, 'pgbouncer.log'), 'a')
  const pooler = spawn(PGBOUNCER, [config], { ...account, cwd: '/', stdio: ['ignore', log.fd, log.fd] })
  await log.close()
  const script = 'read -r _; kill -QUIT "$1" 2>/dev/null'
  const guard = spawn('/bin/sh', ['-c', script, 'sh', String(pooler.pid)], {
    ...account,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.unref()
  pooler.once('exit', () => guard.kill('SIGKILL'))
  await until('PgBouncer answered', 10_000, async () => {
    if (pooler.exitCode !== null)
      throw new Error(
        `PgBouncer ended with ${pooler.exitCode}: ${await readFile(join(folder, 'pgbouncer.log'), 'utf8')}`,
      )
    return isListening(port)
  })
  return pooler
}

/** SIGQUIT ends every version of PgBouncer at once, and resets whoever is connected. */
async function endPooler(pooler: ChildProcess): Promise<void> {
  if (pooler.exitCode !== null || pooler.signalCode !== null) return
  const ended = once(pooler, 'exit')
  pooler.kill('SIGQUIT')
  await ended
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isOpen
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
