import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findPlace } from '../../../local-postgres/src/embedded-place.ts'
import { STOCK_POSTGRES } from '../../../server/test/support/programs.ts'
import { createDividedDatabase } from '../../../server/test/support/citus.ts'
import { createLog } from '../../../server/src/platform/shared/log.ts'
import { startQueue } from '../../../server/src/platform/jobs/queue.ts'
import { describeCluster, startCluster, type Cluster, type Settings } from '../cluster.ts'
import {
  newFolder,
  removeFolder,
  type EnvironmentOptions,
  type Missing,
  type PlainEnvironment,
} from '../environment.ts'
import { fill, mountMemory } from './small-disk.ts'

/** A Citus. The cluster is its coordinator. */
export type DividedEnvironment = PlainEnvironment & {
  /** Each holds homes. */
  workers: Cluster[]
  /** One more server, of which the Citus does not know yet; the name of the database that it has too. */
  startSpare(database: string): Promise<Cluster>
}

/** The first worker has a disk that can be filled. */
type FullDiskEnvironment = DividedEnvironment & { fill(): Promise<{ free(): Promise<void> }> }

const HOMES = 8
const WORKERS = 2
// The settings of docs/divided.md, without its costs of pages and what it says of connections.
export const CITUS_SETTINGS: Settings = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: '200',
  // Each database has a process of Citus that ends what was prepared.
  max_worker_processes: '100',
  'citus.recover_2pc_interval': '2s',
  'citus.node_connection_timeout': '3s',
  'citus.max_adaptive_executor_pool_size': '1',
  'citus.multi_shard_modify_mode': 'sequential',
}

export async function startDivided(options: EnvironmentOptions): Promise<DividedEnvironment | Missing> {
  return missingCitus(options) ?? startServers(options, await newFolder())
}

/** For scenarios that need a divided database. */
export async function startWhereDivided(options: EnvironmentOptions): Promise<DividedEnvironment | Missing> {
  return options.divided ? startDivided(options) : { missing: 'it takes a divided database: --citus' }
}

export async function startWhereFull(options: EnvironmentOptions): Promise<FullDiskEnvironment | Missing> {
  const missing = options.divided ? missingCitus(options) : { missing: 'it takes a divided database: --citus' }
  if (missing) return missing
  const folder = await newFolder()
  const disk = join(folder, 'small-disk')
  await mkdir(disk)
  const unmount = await mountMemory(disk)
  if ('missing' in unmount) {
    await removeFolder(folder)
    return unmount
  }
  return { ...(await startServers(options, folder, { disk, unmount })), fill: () => fill(disk) }
}

function missingCitus({ programs = STOCK_POSTGRES }: EnvironmentOptions): Missing | undefined {
  const isThere = existsSync(join(dirname(programs), 'lib/citus.so'))
  return isThere ? undefined : { missing: `the PostgreSQL in ${programs} has no extension Citus` }
}

/** `disk`: that of the first worker, where it has one of its own. */
async function startServers(
  { programs = STOCK_POSTGRES }: EnvironmentOptions,
  folder: string,
  { disk = folder, unmount }: { disk?: string; unmount?: { now(): Promise<void> } } = {},
) {
  const start = async (name: string) => startNode(join(name === 'worker-1' ? disk : folder, name), programs)
  const cluster = await start('coordinator')
  const workers: Cluster[] = []
  for (let n = 1; n <= WORKERS; n++) workers.push(await start(`worker-${n}`))
  const spares: Cluster[] = []
  // What ends prepared transactions of a database takes half a processor, also when nobody uses the database any more.
  let dropLast: (() => Promise<void>) | undefined
  for (const node of [cluster, ...workers]) await node.query('create extension citus')
  await cluster.query(`select citus_set_coordinator_host('127.0.0.1', ${cluster.port})`)
  for (const { port } of workers) await cluster.query(`select citus_add_node('127.0.0.1', ${port})`)
  // As docs/divided.md says for what settles prepared transactions. The service has an account of its own.
  await cluster.query('alter role current_user set citus.max_cached_conns_per_worker = 0')
  return {
    folder,
    cluster,
    workers,
    server: `${await describeCluster(cluster)}, a Citus with ${WORKERS} workers and ${HOMES} homes`,
    startSpare: async (database: string) => {
      const spare = await start('spare')
      spares.push(spare)
      await spare.query(`create database ${database}`)
      return spare
    },
    newDatabase: async () => {
      const account = `service_${randomUUID().replaceAll('-', '')}`
      await dropLast?.()
      const { url, workerUrls, drop } = await createDividedDatabase(cluster.url('postgres'), HOMES, {}, account)
      dropLast = drop
      const name = new URL(url).pathname.slice(1)
      for (const worker of workers) await worker.query(keepConnections(name))
      const queue = await startQueue({ url, works: false, log: createLog('silent') })
      await queue.close()
      return { url, direct: cluster.url(name), workers: workerUrls }
    },
    close: async (keepFolder: boolean) => {
      for (const node of [cluster, ...workers, ...spares]) await (keepFolder ? node.stop('fast') : node.remove())
      await unmount?.now()
      if (!keepFolder) await removeFolder(folder)
    },
  }
}

function keepConnections(database: string): string {
  return `set citus.enable_ddl_propagation = off;
    alter role current_user in database ${database} set citus.max_cached_conns_per_worker = 1`
}

/** The servers of a Citus reach one another without a password. */
async function startNode(dataDir: string, programs: string): Promise<Cluster> {
  const node = await startCluster({ dataDir, programs, settings: CITUS_SETTINGS })
  const rules = join((await findPlace(dataDir, programs)).data, 'pg_hba.conf')
  await writeFile(rules, `host all all 127.0.0.1/32 trust\n${await readFile(rules, 'utf8')}`)
  await node.query('select pg_reload_conf()')
  return node
}
