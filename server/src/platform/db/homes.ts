import { sql } from 'kysely'
import type { Pool } from 'pg'
import { errorCode } from '../shared/errors.ts'
import type { DbPool, Homed, Runner } from './connect.ts'

const NO_SUCH_TABLE = '42P01'

/** Into how many homes the database divides people (ADR 2). It is fixed when the database is created. */
export async function readHomes(pool: Pool): Promise<number> {
  try {
    const { rows } = await pool.query<{ homes: number }>('select homes from division')
    return rows[0]?.homes ?? 1
  } catch (error) {
    // A command may read a database that is not migrated yet.
    if (errorCode(error) === NO_SUCH_TABLE) return 1
    throw error
  }
}

/** What runs statements knows the number from its pool. */
export function countHomes(source: Runner | Pick<DbPool, 'homes'>): number {
  if ('homes' in source) return source.homes
  return (source.getExecutor().adapter as Partial<Homed>).countHomes?.() ?? 1
}

const SERVERS = sql.raw(`
  select home, nodename, nodeport from division cross join generate_series(0, homes - 1) home
  join pg_dist_placement on shardid = get_shard_id_for_distribution_column('batches', home)
  join pg_dist_node using (groupid) order by home`)

/** The homes on the same server of a Citus. */
export async function listHomesBeside(source: Runner | Pick<DbPool, 'homes'>, home: number): Promise<number[]> {
  if ('homes' in source || !(await isOnCitus(source))) return []
  const { rows } = await sql<{ home: number }>`
    with servers as materialized (${SERVERS})
    select home from servers join (select nodename, nodeport from servers where home = ${home}) own
      using (nodename, nodeport)`.execute(source)
  return rows.map((row) => row.home)
}

const LOST_SERVER = /(?:remote node \S+@|executing command on )(\S+):(\d+)/

/** The homes on the server that, as `error` says, is away. */
export async function listHomesAway(source: Runner, error: unknown): Promise<number[]> {
  const { message, where = '' } = error as Error & { where?: string }
  const [, host, port] = LOST_SERVER.exec(`${message} ${where}`) ?? []
  if (host === undefined || !(await isOnCitus(source))) return []
  const { rows } = await sql<{ home: number }>`
    select home from (${SERVERS}) servers where nodename = ${host} and nodeport = ${port}`.execute(source)
  return rows.map((row) => row.home)
}

/** Tests divide people among several homes of one server. */
async function isOnCitus(source: Runner): Promise<boolean> {
  if (countHomes(source) === 1) return false
  const { rows } = await sql`select from pg_extension where extname = 'citus'`.execute(source)
  return rows.length > 0
}
