import { sql } from 'kysely'
import type { Pool } from 'pg'
import { sleep } from '../shared/clock.ts'
import { errorCode } from '../shared/errors.ts'
import { silenceError } from './connect.ts'
import type { Db, DbPool, Homed, Runner, Tx } from './connect.ts'
import { isDatabaseUnavailable, isPipelined, isStatementTimeout } from './transaction.ts'

const NO_SUCH_TABLE = '42P01'
// Each server numbers rows from 2^48 times its group on. From the 32nd on these would not be exact numbers.
export const GROUPS = 32
export const IDS_A_GROUP = 2 ** 48

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
  return toHomed(source).homes ?? 1
}

/** Ids that servers give to rows grow from each of these on. */
export function listIdStarts(source: Parameters<typeof countHomes>[0]): number[] {
  return Array.from({ length: countHomes(source) === 1 ? 1 : GROUPS }, (_, group) => group * IDS_A_GROUP)
}

/** The same of servers that the database has now; of all where the catalog may not be read. */
export async function listUsedIdStarts(source: Runner): Promise<number[]> {
  if (countHomes(source) === 1) return [0]
  const used = sql<{ start: number }>`select groupid * ${IDS_A_GROUP}::bigint as start from pg_dist_node
    where noderole = 'primary' and groupid between 1 and ${GROUPS - 1}`
  return used.execute(source).then(
    ({ rows }) => [0, ...new Set(rows.map(({ start }) => start))],
    () => listIdStarts(source),
  )
}

/**
 * Does what concerns a home alone with its server (ADR 2), or with the coordinator where that server is not known or
 * refuses, on a plain database, and in a transaction.
 */
export async function atHome<Source extends Db | DbPool, T>(
  source: Source,
  home: number,
  work: (source: Source) => Promise<T>,
): Promise<T> {
  if (countHomes(source) === 1 || ('isTransaction' in source && source.isTransaction)) return work(source)
  const node = await toHomed(source).findNode?.(home)
  const own = 'pooling' in source ? node?.pool : isPipelined(source) ? node?.pipelined : node?.db
  return work((own ?? source) as Source)
}

/**
 * Throws if the server of the home is known to be silent; without a home, if any server is. A statement through the
 * coordinator would wait for it until a time limit ends the statement.
 */
export function expectHeard(source: Runner | Partial<Homed>, home?: number): void {
  const silence = toHomed(source).findSilence?.(home)
  if (silence !== undefined) throw silence
}

function toHomed(source: Runner | Partial<Homed>): Partial<Homed> {
  return 'getExecutor' in source ? ((source.getExecutor().adapter as { homed?: Homed }).homed ?? {}) : source
}

/** The address of a home. */
export type HomeAddress = { home: number; host: string; port: number; database: string }

export const PLACES = `
  select home, nodename as host, nodeport as port, current_database() as database
  from division cross join generate_series(0, homes - 1) home
  join pg_dist_placement on shardid = get_shard_id_for_distribution_column('batches', home)
  join pg_dist_node using (groupid) where noderole = 'primary'`

/** The homes on the same server of a Citus. Throws where it has no catalog. */
export async function listHomesBeside(source: Runner, home: number): Promise<number[]> {
  const places = await readPlaces(source)
  const own = places.find((place) => place.home === home)
  return places.filter(({ host, port }) => host === own?.host && port === own.port).map((place) => place.home)
}

const LOST_SERVER =
  /(?:remote node [^\s@]{1,99}@|connections to the node |executing command on )([^\s:]{1,255}):(\d{1,5})/

/** The homes on the server that, as `error` says, is away. Others than Citus say nothing like it. */
export async function listHomesAway(source: Runner, error: unknown): Promise<number[]> {
  const { message, where = '' } = error as Error & { where?: string }
  const [, host, port] = LOST_SERVER.exec(`${message} ${where}`) ?? []
  if (host === undefined) return []
  const places = await readPlaces(source)
  return places.filter((place) => place.host === host && place.port === Number(port)).map(({ home }) => home)
}

async function readPlaces(source: Runner): Promise<HomeAddress[]> {
  return (await sql<HomeAddress>`${sql.raw(PLACES)} order by home`.execute(source)).rows
}

/** Takes back what `work` did when it throws, where there are several homes and a transaction. */
export async function inPart<T>(source: Db | Tx, work: () => Promise<T>): Promise<T> {
  if (countHomes(source) === 1 || !source.isTransaction) return work()
  await sql`savepoint part`.execute(source)
  try {
    const result = await work()
    await sql`release savepoint part`.execute(source)
    return result
  } catch (error) {
    await sql`rollback to savepoint part`.execute(source)
    throw error
  }
}

/** Whether a server of a divided database is lost, or too slow: then work for other homes must not wait for it. */
export function isServerAway(source: Parameters<typeof countHomes>[0], error: unknown): boolean {
  return countHomes(source) > 1 && (isDatabaseUnavailable(error) || isStatementTimeout(error))
}

/** Rejects when `work` has not ended after `ms`, as if its server were silent. The work itself is not stopped. */
export async function withinTime(ms: number, work: Promise<void>): Promise<void> {
  const timer = new AbortController()
  const late = sleep(ms, timer.signal).then(() => Promise.reject(silenceError()))
  await Promise.race([work, late]).finally(() => timer.abort())
}

/** Leaves what can wait, or is asked again soon, while a server of a divided database is away. */
export async function unlessAway<T>(source: Runner, work: Promise<T>, otherwise: T): Promise<T> {
  return work.catch((error: unknown) => {
    if (isServerAway(source, error)) return otherwise
    throw error
  })
}

/** `work` asks a home through the coordinator; `otherwise` is done in place of it while the home is away. */
export async function unlessHomeAway<T>(
  pool: DbPool,
  home: number,
  work: () => Promise<T>,
  otherwise: () => Promise<T>,
): Promise<T> {
  try {
    expectHeard(pool, home)
    return await work()
  } catch (error) {
    if (isServerAway(pool, error)) return otherwise()
    throw error
  }
}
