import { execFile } from 'node:child_process'
import { appendFile, chown, copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPlace } from '../../../local-postgres/src/embedded-place.ts'
import { openLink, type Link } from '../../../server/test/support/link.ts'
import { describeCluster, startCluster, type Cluster, type Settings } from '../cluster.ts'
import {
  cloneTemplate,
  newFolder,
  ON_PLAIN_ALONE,
  prepareTemplate,
  removeFolder,
  type Environment,
  type EnvironmentOptions,
  type Missing,
} from '../environment.ts'
import { until } from '../../../server/test/support/until.ts'

/** A primary and its standby with streaming replication, behind one address that can be moved. */
export type PairEnvironment = Environment & {
  standby: Cluster
  /** Kills the primary, and resets every connection to it. */
  killPrimary(): Promise<void>
  /** Makes the address lead to the standby. */
  moveAddress(): void
  /** Promotes the standby, and waits until it is the primary. */
  promote(): Promise<void>
  /** Stops replication: the standby gets no later commits of the primary. */
  cutReplication(): void
}

// Settings that replication needs and that differ from the defaults.
const REPLICATED: Settings = { wal_level: 'replica', max_wal_senders: '10', hot_standby: 'on' }

export const startSynchronousPair = async (options: EnvironmentOptions): Promise<PairEnvironment | Missing> =>
  startPair(options, true)
export const startAsynchronousPair = async (options: EnvironmentOptions): Promise<PairEnvironment | Missing> =>
  startPair(options, false)

/** Starts the pair. Synchronous: a commit is acknowledged once the standby has it on its disk. */
async function startPair(
  { programs, divided }: EnvironmentOptions,
  isSynchronous: boolean,
): Promise<PairEnvironment | Missing> {
  if (divided) return ON_PLAIN_ALONE
  const folder = await newFolder()
  const settings = programs === undefined ? REPLICATED : {}
  const primary = await startCluster({ dataDir: join(folder, 'primary'), programs, settings })
  await prepareTemplate(primary)
  const replication = await openLink(primary.port)
  await primary.stop('fast')
  const standbyDir = await copyToStandby(folder, programs, replication.port)
  await primary.start(isSynchronous ? { synchronous_standby_names: '*' } : {})
  const standby = await startCluster({ dataDir: standbyDir, programs, settings })
  await until('the standby followed the primary', 30_000, async () => isFollowed(primary, isSynchronous))
  const address = await openLink(primary.port)
  return {
    folder,
    standby,
    server: `${await describeCluster(primary)}, with ${isSynchronous ? 'a synchronous' : 'an asynchronous'} standby`,
    newDatabase: async (name) => {
      const url = throughLink(await cloneTemplate(primary, name), address)
      return { url, direct: url }
    },
    killPrimary: async () => {
      address.cut()
      await primary.stop('immediate')
      replication.cut()
    },
    moveAddress: () => address.pointAt(standby.port),
    promote: async () => {
      const [row] = await standby.query('select pg_promote(true, 30) as done')
      if (row?.['done'] !== true) throw new Error('the standby was not promoted within 30 s')
    },
    cutReplication: () => replication.stall(),
    close: async (keepFolder) => {
      await Promise.all([address.close(), replication.close()])
      for (const cluster of [primary, standby]) await (keepFolder ? cluster.stop('fast') : cluster.remove())
      if (!keepFolder) await removeFolder(folder)
    },
  }
}

/** Copies the stopped primary; the copy follows it through the link. Returns the copy's folder. */
async function copyToStandby(folder: string, programs: string | undefined, port: number): Promise<string> {
  const [from, to] = [join(folder, 'primary'), join(folder, 'standby')]
  await mkdir(to)
  await copyFile(join(from, 'postgres-password'), join(to, 'postgres-password'))
  const source = await findPlace(from, programs)
  const target = await findPlace(to, programs)
  await promisify(execFile)('cp', ['-a', source.data, target.data])
  await rm(join(target.data, 'postmaster.pid'), { force: true })
  const signal = join(target.data, 'standby.signal')
  await writeFile(signal, '')
  const { uid, gid } = await stat(source.data)
  await chown(signal, uid, gid)
  const password = (await readFile(join(from, 'postgres-password'), 'utf8')).trim()
  const conninfo = `host=127.0.0.1 port=${port} user=swapbell password=${password} application_name=standby`
  await appendFile(join(target.data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`)
  return to
}

async function isFollowed(primary: Cluster, isSynchronous: boolean): Promise<boolean> {
  const rows = await primary.query(`select state, sync_state from pg_stat_replication`)
  return rows.some((row) => row['state'] === 'streaming' && (!isSynchronous || row['sync_state'] === 'sync'))
}

function throughLink(url: string, link: Link): string {
  return Object.assign(new URL(url), { port: String(link.port) }).href
}
