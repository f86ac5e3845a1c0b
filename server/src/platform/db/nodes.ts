import { errorCode } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { connect, silenceError, type ConnectOptions, type DbPool, type Node } from './connect.ts'
import { GROUPS, PLACES, withinTime, type HomeAddress } from './homes.ts'
import { buildersOn } from './prepared.ts'

// Homes are moved seldom, and the server that had one passes on what concerns it.
const KNOWN_MS = 10_000
// Statements of one home are short. A server that is silent is found sooner than the coordinator would be, because all
// homes wait for it.
const NODE_LIMITS = { statementMs: 9_000, silenceMs: 12_000 }
const HEARD_WITHIN_MS = 3_000
// A question to a silent server may hold a connection of the coordinator for this long.
const ASK_AGAIN_MS = 40_000

type OpenNode = Node & {
  host: string
  /** One of its homes. */
  home: number
  restsUntil: number
  /** What calls get while neither this process nor the coordinator hears the server: an error that names it. */
  silence?: Error | undefined
  looking?: Promise<void> | undefined
  /** When the coordinator was asked for it last. */
  askedAt: number
}
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
  let places: Read['addresses'] = new Map()

  const read = async () => {
    const found = await readAddresses(coordinator, url)
    if (isEnding) return found
    places = found.addresses
    const used = new Set(places.values())
    for (const [home, address] of places)
      if (!nodes.has(address)) nodes.set(address, openNode({ address, home }, coordinator, options))
    // Where the catalog could not be read, their connections are used again soon.
    if (found.fault === undefined) void close([...nodes.keys()].filter((address) => !used.has(address)))
    tell({ homes: found.addresses.size, servers: used.size, fault: found.fault })
    return found
  }
  const readLately = () => {
    if (performance.now() - readAt >= KNOWN_MS) [readAt, reading] = [performance.now(), read()]
    return reading.catch((error: unknown) => {
      readAt = -Infinity
      throw error
    })
  }
  const close = async (unused: string[]) => {
    const pools = unused.flatMap((address) => nodes.get(address)?.pool ?? [])
    for (const address of unused) nodes.delete(address)
    await Promise.all(pools.map((pool) => pool.end()))
  }
  const find = async (home: number): Promise<Node | undefined> => {
    if (isEnding) return undefined
    const { addresses } = await readLately()
    const node = nodes.get(addresses.get(home) ?? '')
    if (node?.silence !== undefined) throw noteSilence(node, node.silence)
    if (node === undefined || performance.now() < node.restsUntil) return undefined
    try {
      await reach(node.pool)
      return node
    } catch (error) {
      if (isTimeout(error)) await look(node, coordinator, log)
      if (node.silence !== undefined) throw node.silence
      node.restsUntil = performance.now() + KNOWN_MS
      readAt = -Infinity
      log.warn({ err: error }, 'a server refuses: its homes are reached through the coordinator')
      return undefined
    }
  }
  const findSilence = (home?: number) => {
    if (isEnding) return undefined
    const all = home === undefined ? [...nodes.values()] : [nodes.get(places.get(home) ?? '')]
    const silent = all.find((node) => node?.silence !== undefined)
    return silent?.silence && noteSilence(silent, silent.silence)
  }
  /** Looks for the server again, and reads anew where its homes are; nobody waits for that. */
  const noteSilence = (node: OpenNode, silence: Error) => {
    void look(node, coordinator, log)
    readLately().catch(() => undefined)
    return silence
  }
  return {
    find,
    findSilence,
    pools: () => Array.from(nodes.values(), ({ pool }) => pool),
    end: () => {
      isEnding = true
      return close([...nodes.keys()])
    },
  }
}

function openNode(
  { address, home }: { address: string; home: number },
  coordinator: DbPool,
  options: ConnectOptions,
): OpenNode {
  const limits = { ...options.limits, ...NODE_LIMITS }
  const pool = Object.assign(connect(address, { ...options, limits }), { homes: coordinator.homes })
  const { host } = new URL(address)
  const node: OpenNode = { pool, ...buildersOn(pool, options), host, home, restsUntil: 0, askedAt: -Infinity }
  // A connection ends so when its statement got no answer in time.
  const failed = (error: Error) => void (isTimeout(error) && look(node, coordinator, options.log))
  pool.on('connect', (client) => client.on('error', failed))
  // A connection that is still being set up tells the pool.
  pool.on('error', failed)
  return node
}

/** Finds out whether a silent server answers this process again, or at least the coordinator. Callers share a look. */
function look(node: OpenNode, coordinator: DbPool, log: Log): Promise<void> {
  const lookOnce = async () => {
    const was = node.silence
    if (was !== undefined && (await isAnswered(node.pool.query('select 1')))) {
      node.silence = undefined
      node.askedAt = -Infinity
    } else if (performance.now() - node.askedAt >= ASK_AGAIN_MS) {
      node.askedAt = performance.now()
      const isHeard = await isAnswered(coordinator.query('select from batches where home = $1 limit 1', [node.home]))
      node.silence = isHeard ? undefined : silenceError(node.host)
    }
    if (was === undefined && node.silence) log.warn({ err: node.silence }, 'a server of homes is silent')
    if (was !== undefined && !node.silence) log.info({ server: node.host }, 'a server of homes answers again')
  }
  node.looking ??= lookOnce().finally(() => (node.looking = undefined))
  return node.looking
}

function isAnswered(asking: Promise<unknown>): Promise<boolean> {
  const heard = asking.then(() => undefined)
  return withinTime(HEARD_WITHIN_MS, heard).then(
    () => true,
    () => false,
  )
}

function isTimeout(error: unknown): boolean {
  return errorCode(error) === 'ETIMEDOUT' || /timeout/.test((error as Error).message)
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
    const { rows } = await pool.query<HomeAddress>(
      `${PLACES} and isactive and metadatasynced and groupid between 1 and $1`,
      [GROUPS - 1],
    )
    return { addresses: new Map(rows.map((place) => [place.home, toAddress(url, place)])) }
  } catch (error) {
    return { addresses: new Map(), fault: (error as Error).message }
  }
}

/** The same account and settings, at another address. Throws where that is none of a URL. */
function toAddress(url: string, { host, port, database }: HomeAddress): string {
  const given = new URL(url)
  const address = new URL(`${given.protocol}//${host}:${port}/${encodeURIComponent(database)}${given.search}`)
  address.username = given.username
  address.password = given.password
  for (const own of ['host', 'port']) address.searchParams.delete(own)
  return address.href
}
