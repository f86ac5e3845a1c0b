import { sql } from 'kysely'
import type { Pool } from 'pg'
import { errorCode } from '../shared/errors.ts'
import {
  connect,
  queryBuilder,
  type ConnectOptions,
  type Db,
  type DbPool,
  type Homed,
  type Node,
  type Runner,
  type Tx,
} from './connect.ts'
import { preparingRepeated } from './prepared.ts'
import { isDatabaseUnavailable, isPipelined, pipelined } from './transaction.ts'

const NO_SUCH_TABLE = '42P01'
// Homes are moved seldom, and the server that had one passes on what concerns it.
const KNOWN_MS = 10_000
// Statements of one home are short. A server that is silent is found sooner than the coordinator would be, because all
// homes wait for it.
const NODE_LIMITS = { statementMs: 9_000, silenceMs: 12_000 }
// Each server numbers rows from 2^48 times its group on. From the 32nd on these would not be exact numbers.
const GROUPS = 32
const IDS_A_GROUP = 2 ** 48

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

/** Ids that servers give to rows grow from each of these on. */
export function listIdStarts(source: Parameters<typeof countHomes>[0]): number[] {
  return Array.from({ length: countHomes(source) === 1 ? 1 : GROUPS }, (_, group) => group * IDS_A_GROUP)
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
  if ('pooling' in source) return work(((await source.findNode?.(home))?.pool ?? source) as Source)
  const node = await (source.getExecutor().adapter as Partial<Homed>).findNode?.(home)
  return work(((isPipelined(source) ? node?.repeating : node?.db) ?? source) as Source)
}

type Place = { home: number; host: string; port: number; database: string }
type OpenNode = Node & { restsUntil: number }

/**
 * Pools of the servers that have homes, by what the catalog of the coordinator says lately; none where it may not be
 * read.
 */
export function openNodes(coordinator: DbPool, url: string, options: ConnectOptions) {
  const { log, ran } = options
  const nodes = new Map<string, OpenNode>()
  let addresses = new Map<number, string>()
  let readAt = -Infinity
  let reading: Promise<void> | undefined
  let told = ''
  let isEnding = false

  const open = (address: string): OpenNode => {
    const pool = Object.assign(connect(address, { ...options, limits: { ...options.limits, ...NODE_LIMITS } }), {
      homes: coordinator.homes,
    })
    const repeating = pipelined(queryBuilder(preparingRepeated(pool), ran))
    return { pool, db: queryBuilder(pool, ran), repeating, restsUntil: 0 }
  }
  const read = async () => {
    let fault: string | undefined
    try {
      const places = await readPlaces(coordinator)
      addresses = new Map(places.map((place) => [place.home, toAddress(url, place)]))
    } catch (error) {
      addresses = new Map()
      fault = (error as Error).message
    }
    if (isEnding) return
    const used = new Set(addresses.values())
    for (const address of used) if (!nodes.has(address)) nodes.set(address, open(address))
    // Where the catalog could not be read, their connections are used again soon.
    if (fault === undefined) void close([...nodes.keys()].filter((address) => !used.has(address)))
    readAt = performance.now()
    reading = undefined
    tell({ homes: addresses.size, servers: used.size, ...(fault !== undefined && { fault }) })
  }
  const close = async (unused: string[]) => {
    const pools = unused.flatMap((address) => nodes.get(address)?.pool ?? [])
    for (const address of unused) nodes.delete(address)
    await Promise.all(pools.map((pool) => pool.end()))
  }
  const tell = (found: { homes: number; servers: number; fault?: string }) => {
    if (told === JSON.stringify(found)) return
    told = JSON.stringify(found)
    if (found.homes < coordinator.homes) log.warn(found, 'some homes are reached through the coordinator alone')
    else log.info(found, 'each home is reached at its server')
  }
  const reaches = async (node: OpenNode) => {
    if (performance.now() < node.restsUntil) return false
    const { idleCount, totalCount } = node.pool
    if (idleCount > 0 || totalCount === options.max) return true
    try {
      const client = await node.pool.connect()
      client.release()
      return true
    } catch (error) {
      node.restsUntil = performance.now() + KNOWN_MS
      readAt = -Infinity
      log.warn({ err: error }, 'a server refuses: its homes are reached through the coordinator')
      return false
    }
  }
  const find = async (home: number): Promise<Node | undefined> => {
    if (isEnding) return undefined
    if (performance.now() - readAt >= KNOWN_MS) await (reading ??= read())
    const node = nodes.get(addresses.get(home) ?? '')
    return node && (await reaches(node)) ? node : undefined
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

/** A server whose own catalog is not kept up to date does not count. */
async function readPlaces(pool: Pool): Promise<Place[]> {
  const { rows } = await pool.query<Place>(
    `select home, n.nodename as host, n.nodeport as port, current_database() as database
    from generate_series(0, (select homes from division) - 1) home
    join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('batches', home)
    join pg_dist_node n using (groupid)
    where n.noderole = 'primary' and n.isactive and n.metadatasynced and n.groupid between 1 and $1`,
    [GROUPS - 1],
  )
  return rows
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

const LOST_SERVER = /(?:remote node [^\s@]{1,99}@|executing command on )([^\s:]{1,255}):(\d{1,5})/

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

/** Leaves what can wait, or is asked again soon, while a server of a divided database is away. */
export async function unlessAway<T>(source: Runner, work: Promise<T>, otherwise: T): Promise<T> {
  return work.catch((error: unknown) => {
    if (countHomes(source) > 1 && isDatabaseUnavailable(error)) return otherwise
    throw error
  })
}
