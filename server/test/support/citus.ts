import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { connect } from '../../src/platform/db/connect.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { createLog } from '../../src/platform/shared/log.ts'

/** Divided by `home`, and together: rows of one home are on one worker. */
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

/**
 * An empty database at the coordinator of a Citus and at its workers, migrated and then divided (ADR 2). Neighbours
 * have ids in other blocks of 512, which are in other homes.
 */
export async function createDividedDatabase(
  citusUrl: string,
  homes: number,
  settings: Record<string, string> = {},
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const { coordinator, workers } = await readNodes(citusUrl)
  const nodes = [coordinator, ...workers]
  for (const node of nodes) {
    await run(at(citusUrl, node), [`create database ${name}`])
    await run(at(citusUrl, node, name), ['create extension citus'])
  }
  const url = at(citusUrl, coordinator, name)
  await run(url, [
    `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
    ...workers.map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
    // The default opens up to 16 connections to each worker for a statement.
    `alter database ${name} set citus.max_adaptive_executor_pool_size = 1`,
    `alter database ${name} set citus.multi_shard_modify_mode = 'sequential'`,
  ])
  const pool = connect(url, { max: 1, log: createLog('silent') })
  await migrate(pool, createLog('silent'))
  await pool.end()
  await run(url, [
    `update division set homes = ${homes}`,
    'alter table users alter user_id set increment by 397',
    `select create_distributed_table('${DIVIDED[0]}', 'home', colocate_with => 'none', shard_count => 4)`,
    ...DIVIDED.slice(1).map(
      (table) => `select create_distributed_table('${table}', 'home', colocate_with => 'batches')`,
    ),
    // Citus takes no foreign key from a table that is everywhere to one that is not.
    'alter table messages drop constraint messages_sender_id_fkey, drop constraint messages_recipient_id_fkey',
    `select create_reference_table('messages')`,
  ])
  await run(
    url,
    Object.entries(settings).map(([setting, value]) => `alter database ${name} set ${setting} = '${value}'`),
  )
  const drop = async () => {
    for (const node of nodes) await run(at(citusUrl, node), [`drop database ${name} with (force)`])
  }
  return { url, drop }
}

async function readNodes(citusUrl: string): Promise<{ coordinator: Node; workers: Node[] }> {
  const rows = await run(citusUrl, [
    `select nodename as host, nodeport as port, groupid from pg_dist_node where noderole = 'primary' order by groupid`,
  ])
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

/** Gives the rows of the last. */
async function run(url: string, statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  await client.connect()
  let rows: Record<string, unknown>[] = []
  for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows
  await client.end()
  return rows
}
