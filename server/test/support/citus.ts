import { randomUUID } from 'node:crypto'
import { connect } from '../../src/platform/db/connect.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { createLog } from '../../src/platform/shared/log.ts'
import { runSql } from './run-sql.ts'

/** The tables that are divided by `home`. Rows of one home are on one worker. */
export const DIVIDED = [
  'batches',
  'work',
  'requests',
  'message_counts',
  'provider_counts',
  'way_counts',
  'push_counts',
  'skips',
  'entries',
  'bulk_entries',
  'reactions',
  'unread',
  'inbox_marks',
]

type Node = { host: string; port: number }

/** `workerUrls`: of the same database at each worker, with the account of CITUS_URL. */
type CitusDatabase = { url: string; workerUrls: string[]; drop(): Promise<void> }

/**
 * A database at the coordinator of a Citus, divided as it is migrated (ADR 2). Neighbours have ids in other blocks of
 * 512, which are in other homes.
 */
export async function createDividedDatabase(
  citusUrl: string,
  homes = 32,
  settings: Record<string, string> = {},
  account?: string,
): Promise<CitusDatabase> {
  const database = await createCitusDatabase(citusUrl, { account })
  const pool = connect(database.url, { max: 1, log: createLog('silent') })
  await migrate(pool, createLog('silent'), { homes })
  await pool.query('alter table users alter user_id set increment by 397')
  await pool.end()
  const name = new URL(database.url).pathname.slice(1)
  // The coordinator tells its workers of them.
  await runSql(
    database.url,
    ...Object.entries(settings).map(([setting, value]) => `alter database ${name} set ${setting} = '${value}'`),
  )
  return database
}

type Wishes = { knowsWorkers?: boolean; account?: string | undefined }

/**
 * An empty database at the coordinator of a Citus and at its workers, of which it knows unless said otherwise.
 * `account`: a new one without special rights, which owns it, instead of that of CITUS_URL.
 */
export async function createCitusDatabase(
  citusUrl: string,
  { knowsWorkers = true, account }: Wishes = {},
): Promise<CitusDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const { coordinator, workers } = await readNodes(citusUrl)
  const nodes = [coordinator, ...workers]
  // The coordinator tells its workers of it.
  if (account !== undefined) await runSql(citusUrl, `create role ${account} login`)
  for (const node of nodes) {
    await runSql(at(citusUrl, node), `create database ${name} ${account === undefined ? '' : `owner ${account}`}`)
    await runSql(at(citusUrl, node, name), 'create extension citus')
  }
  const url = at(citusUrl, coordinator, name)
  await runSql(
    url,
    `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
    ...(knowsWorkers ? workers.map(({ host, port }) => `select citus_add_node('${host}', ${port})`) : []),
    // The default opens up to 16 connections to each worker for a statement.
    `alter database ${name} set citus.max_adaptive_executor_pool_size = 1`,
    `alter database ${name} set citus.multi_shard_modify_mode = 'sequential'`,
  )
  const drop = async () => {
    for (const node of nodes) {
      const dropping = () => runSql(at(citusUrl, node), `drop database ${name} with (force)`)
      // On a busy machine a process of Citus may need longer to end than the 5 s that a server waits for it.
      await dropping().catch(dropping)
    }
    if (account !== undefined) await runSql(citusUrl, `drop role ${account}`)
  }
  return { url: signedIn(url, account), workerUrls: workers.map((node) => at(citusUrl, node, name)), drop }
}

async function readNodes(citusUrl: string): Promise<{ coordinator: Node; workers: Node[] }> {
  const rows = await runSql(
    citusUrl,
    `select nodename as host, nodeport as port, groupid from pg_dist_node where noderole = 'primary' order by groupid`,
  )
  const { hostname, port } = new URL(citusUrl)
  const workers = rows
    .filter(({ groupid }) => groupid !== 0)
    .map((row) => ({ host: String(row['host']), port: Number(row['port']) }))
  return { coordinator: { host: hostname, port: Number(port || 5432) }, workers }
}

function at(citusUrl: string, { host, port }: Node, database?: string): string {
  const url = new URL(citusUrl)
  url.hostname = host
  url.port = String(port)
  if (database !== undefined) url.pathname = `/${database}`
  return url.href
}

function signedIn(url: string, account: string | undefined): string {
  const own = new URL(url)
  if (account !== undefined) [own.username, own.password] = [account, '']
  return own.href
}
