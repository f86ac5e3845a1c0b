import { mkdir } from 'node:fs/promises'
import { Client } from 'pg'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../local-postgres/src/embedded.ts'
import { errorCode } from '../../server/src/platform/shared/errors.ts'
import { listDescendants, readPostmaster } from '../../server/test/support/process-table.ts'
import { until } from '../../server/test/support/until.ts'

/** One PostgreSQL server that can be stopped, killed and restarted on its port. */
export type Cluster = {
  port: number
  /** The address of one of its databases, as its superuser. */
  url(database: string): string
  /** Runs one statement in its database `postgres`; returns the rows. */
  query(statement: string): Promise<Record<string, unknown>[]>
  isUp(): Promise<boolean>
  /** Stops the server: cleanly, or at once, as when its machine fails. */
  stop(how: 'fast' | 'immediate'): Promise<void>
  /** Starts a stopped server, with these settings over its own. */
  start(settings?: Settings): Promise<void>
  /** SIGSTOP of all its processes: it neither answers nor refuses, and its kernel still takes connections. */
  freeze(): Promise<void>
  /** SIGCONT of those that `freeze` stopped. */
  thaw(): void
  /** Waits until a recovering server is up, and starts it when it has ended. */
  revive(): Promise<void>
  remove(): Promise<void>
}
export type Settings = Readonly<Record<string, string>>

const RECOVERY_MS = 30_000

export type ClusterOptions = {
  dataDir: string
  /** The folder of a PostgreSQL's programs. Absent: the embedded ones. */
  programs?: string | undefined
  settings?: Settings
}

// Several scenarios may share a server. A stock PostgreSQL gets only this setting.
const ROOM = { max_connections: '200' }
// Loses nothing committed when a process of PostgreSQL dies; only a crash of the machine would.
const EMBEDDED = { fsync: 'off', full_page_writes: 'off' }

/** Starts a server on `dataDir`; creates the cluster when it is empty. */
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
  const frozen: number[] = []
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
    freeze: async () => {
      const postmaster = await readPostmaster(server)
      // It is stopped first, so that it starts no further process.
      signal(postmaster, 'SIGSTOP')
      const children = listDescendants(postmaster).map(({ pid }) => pid)
      for (const pid of children) signal(pid, 'SIGSTOP')
      frozen.push(postmaster, ...children)
    },
    thaw: () => {
      for (const pid of frozen.splice(0)) signal(pid, 'SIGCONT')
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

/** A process may have ended since it was listed. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/** What a report says about the server: its version, and the settings that matter for speed and durability. */
export async function describeCluster(cluster: Cluster): Promise<string> {
  const names = ['server_version', 'jit', 'fsync', 'synchronous_commit', 'shared_buffers', 'max_connections']
  const rows = await cluster.query(`select ${names.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`)
  const { server_version: version, ...settings } = rows[0] ?? {}
  const list = Object.entries(settings).map(([name, value]) => `${name} ${String(value)}`)
  return `PostgreSQL ${String(version)} (${list.join(', ')})`
}

/** SIGQUIT ends every session without a message and flushes nothing. */
async function quit(server: EmbeddedPostgres): Promise<void> {
  process.kill(await readPostmaster(server), 'SIGQUIT')
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
