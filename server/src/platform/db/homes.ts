import { sql } from 'kysely'
import type { Pool } from 'pg'
import { sleep } from '../shared/clock.ts'
import { errorCode } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { connect, queryBuilder, silenceError } from './connect.ts'
import type { ConnectOptions, Db, DbPool, Homed, Node, Runner, Tx } from './connect.ts'
import { preparingRepeated } from './prepared.ts'
import { isDatabaseUnavailable, isPipelined, isStatementTimeout, pipelined } from './transaction.ts'

const NO_SUCH_TABLE = '42P01'
// Homes are moved seldom, and the server that had one passes on what concerns it.
const KNOWN_MS = 10_000
// Statements of one home are short. A server that is silent is found sooner than the coordinator would be, because all
// homes wait for it.
const NODE_LIMITS = { statementMs: 9_000, silenceMs: 12_000 }
// Each server numbers rows from 2^48 times its group on. From the 32nd on these would not be exact numbers.
const GROUPS = 32
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
  const own = 'pooling' in source ? node?.pool : isPipelined(source) ? node?.repeating : node?.db
  return work((own ?? source) as Source)
}

function toHomed(source: Runner | Partial<Homed>): Partial<Homed> {
  return 'getExecutor' in source ? ((source.getExecutor().adapter as { homed?: Homed }).homed ?? {}) : source
}

type OpenNode = Node & { restsUntil: number }
/** `fault`: why none is known. */
type Read = { addresses: Map<number, string>; fault?: string }

/**
 * Pools of the servers that have homes, by what the catalog of the coordinator says lately; none where it may not be
 * read.
 */
export function openNodes(coordinator: DbPool, url: string, options: ConnectOptions) {
  const { log } = options
  const nodes = new Map<string, OpenNode>()
  const tell = createTeller(log, coordinator.homes)
  let isEnding = false
  let readAt = -Infinity
  let reading: Promise<Read>

  const read = async () => {
    const found = await readAddresses(coordinator, url)
    if (isEnding) return found
    const used = new Set(found.addresses.values())
    for (const address of used)
      if (!nodes.has(address)) nodes.set(address, openNode(address, coordinator.homes, options))
    // Where the catalog could not be read, their connections are used again soon.
    if (found.fault === undefined) void close([...nodes.keys()].filter((address) => !used.has(address)))
    tell({ homes: found.addresses.size, servers: used.size, fault: found.fault })
    return found
  }
  const close = async (unused: string[]) => {
    const pools = unused.flatMap((address) => nodes.get(address)?.pool ?? [])
    for (const address of unused) nodes.delete(address)
    await Promise.all(pools.map((pool) => pool.end()))
  }
  const find = async (home: number): Promise<Node | undefined> => {
    if (isEnding) return undefined
    if (performance.now() - readAt >= KNOWN_MS) [readAt, reading] = [performance.now(), read()]
    const { addresses } = await reading.catch((error: unknown) => {
      readAt = -Infinity
      throw error
    })
    const node = nodes.get(addresses.get(home) ?? '')
    if (node === undefined || performance.now() < node.restsUntil) return undefined
    try {
      await reach(node.pool)
      return node
    } catch (error) {
      node.restsUntil = performance.now() + KNOWN_MS
      readAt = -Infinity
      log.warn({ err: error }, 'a server refuses: its homes are reached through the coordinator')
      return undefined
    }
  }
  return {
    find,
    pools: () => Array.from(nodes.values(), ({ pool }) => pool),
    end: () => {
      isEnding = true
      return close([...nodes.keys()])
    },
  }
}

function openNode(address: string, homes: number, options: ConnectOptions): OpenNode {
  const limits = { ...options.limits, ...NODE_LIMITS }
  const pool = Object.assign(connect(address, { ...options, limits }), { homes })
  const repeating = pipelined(queryBuilder(preparingRepeated(pool), options.ran, pool))
  return { pool, db: queryBuilder(pool, options.ran), repeating, restsUntil: 0 }
}

/** Throws where the server refuses. */
async function reach(pool: DbPool): Promise<void> {
  if (pool.idleCount > 0 || pool.totalCount === pool.options.max) return
  const client = await pool.connect()
  client.release()
}

/** Says once what was found, until it is something else. */
function createTeller(log: Log, homes: number) {
  let logged = ''
  return (found: { homes: number; servers: number; fault: string | undefined }) => {
    if (logged === JSON.stringify(found)) return
    logged = JSON.stringify(found)
    if (found.homes < homes) log.warn(found, 'some homes are reached through the coordinator alone')
    else log.info(found, 'each home is reached at its server')
  }
}

/** A server whose own catalog is not kept up to date does not count. */
async function readAddresses(pool: DbPool, url: string): Promise<Read> {
  try {
    const { rows } = await pool.query<Place>(`${PLACES} and isactive and metadatasynced and groupid between 1 and $1`, [
      GROUPS - 1,
    ])
    return { addresses: new Map(rows.map((place) => [place.home, toAddress(url, place)])) }
  } catch (error) {
    return { addresses: new Map(), fault: (error as Error).message }
  }
}

/** The same account and settings, at another address. Throws where that is none of a URL. */
function toAddress(url: string, { host, port, database }: Place): string {
  const given = new URL(url)
  const address = new URL(`${given.protocol}//${host}:${port}/${encodeURIComponent(database)}${given.search}`)
  address.username = given.username
  address.password = given.password
  for (const own of ['host', 'port']) address.searchParams.delete(own)
  return address.href
}

type Place = { home: number; host: string; port: number; database: string }

const PLACES = `
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

async function readPlaces(source: Runner): Promise<Place[]> {
  return (await sql<Place>`${sql.raw(PLACES)} order by home`.execute(source)).rows
}

/** Takes back all that this part of a transaction did where a server of a divided database is away. */
export async function inPartUnlessAway(tx: Tx, work: () => Promise<unknown>): Promise<void> {
  if (countHomes(tx) === 1) return void (await work())
  await sql`savepoint part`.execute(tx)
  const isDone = await unlessAway(
    tx,
    work().then(() => true),
    false,
  )
  await (isDone ? sql`release savepoint part` : sql`rollback to savepoint part`).execute(tx)
}

/** Whether a server of a divided database is lost, or too slow: then work for other homes must not wait for it. */
export function isServerAway(source: Runner, error: unknown): boolean {
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
