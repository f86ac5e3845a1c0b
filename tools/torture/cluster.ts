import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../local-postgres/src/embedded.ts'
import { until } from './until.ts'

/** One PostgreSQL server that can be stopped, killed and started again on its port. */
export type Cluster = {
  port: number
  /** The address of a database of it, as its superuser. */
  url(database: string): string
  /** Runs one statement in its database `postgres`; the rows. */
  query(statement: string): Promise<Record<string, unknown>[]>
  isUp(): Promise<boolean>
  /** Stops the server: in order, or at once, as when its machine fails. */
  stop(how: 'fast' | 'immediate'): Promise<void>
  /** Starts a server that is stopped, with these settings over its own. */
  start(settings?: Settings): Promise<void>
  /** Waits until a server that recovers is up, and starts it when it has ended. */
  revive(): Promise<void>
  /** Stops the server and deletes its data. */
  remove(): Promise<void>
}
export type Settings = Readonly<Record<string, string>>

const RECOVERY_MS = 30_000

export type ClusterOptions = {
  dataDir: string
  /** The folder of a PostgreSQL's programs. Absent: the embedded one. */
  programs?: string | undefined
  settings?: Settings
}

// Several scenarios may share a server. It is the only setting of a PostgreSQL that is not ours.
const ROOM = { max_connections: '200' }
// Nothing that risks what was committed when a process of PostgreSQL dies; only the machine must not.
const EMBEDDED = { fsync: 'off', full_page_writes: 'off' }

/** Starts a server on `dataDir`, which is filled when it is empty. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, programs, settings } = options
  await mkdir(dataDir, { recursive: true })
  const launch = async (more: Settings = {}, port?: number) =>
    startEmbeddedPostgres({
      dataDir,
      ...(programs !== undefined && { programs }),
      ...(port !== undefined && { port }),
      settings: { ...ROOM, ...(programs === undefined && EMBEDDED), ...settings, ...more },
      log: () => undefined,
    })
  let server: EmbeddedPostgres = await launch()
  const port = Number(new URL(server.url).port)
  const url = (database: string) => Object.assign(new URL(server.url), { pathname: `/${database}` }).href
  const query = async (statement: string) => ask(url('postgres'), statement)
  const isUp = async () =>
    query('select 1').then(
      () => true,
      () => false,
    )
  return {
    port,
    url,
    query,
    isUp,
    stop: async (how) => {
      if (how === 'immediate') await quit(server)
      await server.stop()
    },
    start: async (more) => {
      server = await launch(more, port)
    },
    revive: async () => {
      const ended = server.exited.then(() => true)
      const isOver = await Promise.race([ended, until('the server was up', RECOVERY_MS, isUp).then(() => false)])
      if (!isOver) return
      await server.stop()
      server = await launch({}, port)
    },
    remove: () => server.remove(),
  }
}

/** What a report says of the server: its version, and the settings on which its speed and its promises hang. */
export async function describeCluster(cluster: Cluster): Promise<string> {
  const names = ['server_version', 'jit', 'fsync', 'synchronous_commit', 'shared_buffers', 'max_connections']
  const rows = await cluster.query(`select ${names.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`)
  const { server_version: version, ...settings } = rows[0] ?? {}
  const list = Object.entries(settings).map(([name, value]) => `${name} ${String(value)}`)
  return `PostgreSQL ${String(version)} (${list.join(', ')})`
}

/** SIGQUIT: every session ends without a word, nothing is written down. */
async function quit(server: EmbeddedPostgres): Promise<void> {
  const [pid] = (await readFile(join(server.data, 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGQUIT')
  await server.exited
}

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  // A server that is killed on purpose ends connections.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(statement)
    return rows
  } finally {
    await client.end().catch(() => undefined)
  }
}
