import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../server/src/platform/db/connect.ts'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { startQueue } from '../../server/src/platform/jobs/queue.ts'
import { createLog } from '../../server/src/platform/shared/log.ts'
import { describeCluster, startCluster, type Cluster } from './cluster.ts'

/** The servers of a scenario: a PostgreSQL, and a folder for its files. */
export type Environment = {
  folder: string
  /** The server's name in reports. */
  server: string
  /** A migrated database for one scenario. */
  newDatabase(name: string): Promise<Database>
  /** Stops everything; keeps the folder on request. */
  close(keepFolder: boolean): Promise<void>
}

/**
 * `url` is for the processes of the service. `direct` goes around a pooler, for the checker and its tools. `workers`:
 * the same database at the workers of a Citus.
 */
type Database = { url: string; direct: string; workers?: string[] }

/** `divided`: starts a Citus, on which all runs that can. */
export type EnvironmentOptions = {
  programs?: string | undefined
  divided?: (options: EnvironmentOptions) => Promise<PlainEnvironment | Missing>
}

/** Why a scenario cannot run on this machine. */
export type Missing = { missing: string }

export type PlainEnvironment = Environment & { cluster: Cluster }

const TEMPLATE = 'template'

/** Why scenarios with servers of their own kind are skipped. */
export const ON_PLAIN_ALONE: Missing = { missing: 'it is skipped on a divided database: its servers are plain ones' }

export async function startEnvironment(options: EnvironmentOptions = {}): Promise<PlainEnvironment | Missing> {
  return options.divided?.(options) ?? startPlain(options)
}

export async function startPlain({ programs }: EnvironmentOptions = {}): Promise<PlainEnvironment> {
  const folder = await newFolder()
  const cluster = await startCluster({ dataDir: join(folder, 'postgres'), programs })
  await prepareTemplate(cluster)
  return {
    folder,
    cluster,
    server: await describeCluster(cluster),
    newDatabase: async (name) => {
      const url = await cloneTemplate(cluster, name)
      return { url, direct: url }
    },
    close: async (keepFolder) => {
      await cluster.stop('fast')
      if (!keepFolder) await cluster.remove().then(() => removeFolder(folder))
    },
  }
}

/** A folder that PostgreSQL's account may pass through. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'swapbell-torture-'))
  await chmod(folder, 0o711)
  return folder
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

/** Creates the migrated database that others are copied from. */
export async function prepareTemplate(cluster: Cluster): Promise<void> {
  await cluster.query(`create database ${TEMPLATE}`)
  const url = cluster.url(TEMPLATE)
  const log = createLog('silent')
  const pool = connect(url, { max: 1, log })
  await migrate(pool, log)
  await pool.end()
  const queue = await startQueue({ url, works: false, log })
  await queue.close()
}

/** Creates a migrated database; returns its address. */
export async function cloneTemplate(cluster: Cluster, name: string): Promise<string> {
  await cluster.query(`create database "${name}" template ${TEMPLATE}`)
  return cluster.url(name)
}
