import { Client } from 'pg'
import { until } from '../../server/test/support/until.ts'
import type { Cluster } from './cluster.ts'
import type { World } from './world.ts'

const UNLOCKED_WITHIN_MS = 5_000

/**
 * Waits until what was prepared at the workers of a Citus when this began is committed or rolled back; until then it
 * holds its locks. A sentence, if that takes too long.
 */
export async function untilSettled({ workerUrls }: World): Promise<{ ms: number; faults: string[] }> {
  const from = performance.now()
  const prepared = await Promise.all(workerUrls.map(listPrepared))
  const first = new Set(prepared.flat())
  await until('prepared transactions were settled', 60_000, async () => {
    const now = await Promise.all(workerUrls.map(listPrepared))
    return now.flat().every((gid) => !first.has(gid))
  })
  const ms = Math.round(performance.now() - from)
  return { ms, faults: ms > UNLOCKED_WITHIN_MS ? [`rows stayed locked for ${ms} ms after the server was back`] : [] }
}

async function listPrepared(url: string): Promise<string[]> {
  const client = new Client(url)
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ gid: string }>(
      'select gid from pg_prepared_xacts where database = current_database()',
    )
    return rows.map(({ gid }) => gid)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Commits that stand; `forget` lets the server start without them, `release` lets them go on. */
type HeldCommits = { reached(query: string): Promise<void>; forget(): Promise<void>; release(): Promise<void> }

/**
 * Holds all commits of a server after they are on its disk, as if a standby did not confirm them: at a worker that is
 * PREPARE, at the coordinator its own commit, after which the workers are told to commit.
 */
export async function holdCommits(server: Cluster): Promise<HeldCommits> {
  await server.query(`alter system set synchronous_standby_names = 'nobody'`)
  await server.query('select pg_reload_conf()')
  const forget = async () => void (await server.query('alter system reset synchronous_standby_names'))
  return {
    reached: (query) =>
      until('a commit stood', 20_000, async () => {
        const rows = await server.query(
          `select from pg_stat_activity
           where wait_event = 'SyncRep' and datname <> 'postgres' and query ilike '${query}%'`,
        )
        return rows.length > 0
      }),
    forget,
    release: async () => {
      await forget()
      await server.query('select pg_reload_conf()')
    },
  }
}
