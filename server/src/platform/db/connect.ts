import type { Socket } from 'node:net'
import {
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  type QueryExecutorProvider,
  type Transaction,
} from 'kysely'
import { Pool, types, type ClientBase, type PoolClient, type PoolConfig } from 'pg'
import type { Log } from '../shared/log.ts'
import { watchWaits } from '../statements/pool-waits.ts'
import { watchStatements, type StatementListener } from '../statements/statements.ts'
import { LIMITS, openSession, READ_ONLY, type Limits, type Pooling, type Server } from './session.ts'
import type { Tables } from '../tables/schema.ts'

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>
/** What runs `sql`: a database, a transaction, or a part of one (`together`). */
export type Runner = QueryExecutorProvider

/** The server of some homes, and how it is asked. */
export type Node = { pool: DbPool; db: Db; pipelined: Db }
/** Undefined: the coordinator is to be asked. Throws where the server is silent. */
type FindNode = (home: number) => Promise<Node | undefined>

/**
 * `homes`: 1 until they are read (`readHomes`). A divided database has `findNode`, which gives the server of a home,
 * and `findSilence`, which gives the error of that server, or of any, while it is silent.
 */
export type DbPool = Pool & {
  readonly pooling: Pooling
  readonly ran: StatementListener
  homes: number
  findNode?: FindNode
  findSilence?: (home?: number) => Error | undefined
}

export type ConnectOptions = {
  max: number
  log: Log
  limits?: Partial<Limits>
  pooling?: Pooling
  onServer?: ((server: Server) => void) | undefined
  /** What each new connection does before its first statement. */
  setUp?: (client: ClientBase) => Promise<void>
  ran?: StatementListener
  waited?: (seconds: number) => void
}

/** The pool waits for it before it lends the connection; the type of its own option says otherwise. */
type AwaitingPool = PoolConfig & { onConnect(client: ClientBase): Promise<void> }

const INT8 = 20
const INT4_ARRAY = 1007
const INT_ARRAYS: readonly number[] = [1005, INT4_ARRAY, 1016]
const TEXT_ARRAY: number = 1009
const DATE = 1082

/** Opens a pool with JIT off and a limit on every wait (ADR 9). Ids are bigint, read as numbers (decision A7). */
export function connect(url: string, options: ConnectOptions): DbPool {
  const { max, log, pooling = 'session', onServer } = options
  const limits = { ...LIMITS, ...options.limits }
  const open = async (client: ClientBase) => {
    // A connection may fail between two statements, when no error handler is set; the next statement then fails.
    client.on('error', () => undefined)
    closeWhenReadOnly(client as PoolClient)
    closeWhenSilent(client, limits.connectMs)
    await options.setUp?.(client)
    const server = await openSession(client, limits, pooling)
    getSocket(client).setTimeout(limits.silenceMs)
    onServer?.(server)
  }
  const config: AwaitingPool = {
    connectionString: url,
    max,
    connectionTimeoutMillis: limits.connectMs,
    // An idle connection is closed before it counts as silent.
    idleTimeoutMillis: Math.min(30_000, (limits.silenceMs || Infinity) * 0.9),
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    types: { getTypeParser },
    // What `verify` sets up is lost to the pool when its caller gives up meanwhile
    // (https://github.com/brianc/node-postgres/issues/3543).
    onConnect: open,
  }
  const pool = new Pool(config)
  pool.on('error', (error) => log.warn({ err: error.message }, 'a database connection that nobody used was lost'))
  if (options.waited) watchWaits(pool, options.waited)
  return Object.assign(pool, { pooling, ran: options.ran ?? (() => undefined), homes: 1 })
}

/** Ends the pool after `work`, however it ends. */
export async function withPool<T>(
  url: string,
  options: ConnectOptions,
  work: (pool: DbPool) => Promise<T>,
): Promise<T> {
  const pool = connect(url, options)
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/** What knows the homes of a database. */
export type Homed = Pick<DbPool, 'homes' | 'findNode' | 'findSilence'>

export function queryBuilder(
  pool: PostgresPool & Partial<Homed>,
  ran?: StatementListener,
  homed: Partial<Homed> = pool,
): Db {
  // The adapter of a database is shared by its transactions and all that runs in them.
  const dialect = Object.assign(new PostgresDialect({ pool }), {
    createAdapter: () => Object.assign(new PostgresAdapter(), { homed }),
  })
  if (ran === undefined) return new Kysely<Tables>({ dialect })
  const { plugin, log } = watchStatements(ran)
  return new Kysely<Tables>({ dialect, plugins: [plugin], log })
}

/** Closes a connection after `ms` without data in either direction; 0 is never. Its statement fails with ETIMEDOUT. */
export function closeWhenSilent(client: ClientBase, ms: number): void {
  const socket = getSocket(client)
  socket.setTimeout(ms, () => socket.destroy(silenceError()))
}

/** `host`: of one server of several, in the words of Citus (`listHomesAway`). */
export function silenceError(host?: string): Error {
  const where = host === undefined ? '' : `, over connections to the node ${host}`
  const error = new Error(`Connection terminated: the database sent nothing for too long${where}`)
  return Object.assign(error, { code: 'ETIMEDOUT' })
}

export function getSocket(client: ClientBase): Socket {
  return getConnection(client).stream
}

type Connection = {
  stream: Socket
  on(event: 'errorMessage', listener: (message: { code?: string }) => void): void
}

function getConnection(client: ClientBase): Connection {
  return (client as unknown as { connection: Connection }).connection
}

/** The next connection may find the new primary. */
function closeWhenReadOnly(client: PoolClient): void {
  getConnection(client).on('errorMessage', ({ code }) => {
    if (code !== READ_ONLY) return
    // pg-pool sets a new `release` each time it lends the client: this is the present one.
    const { release } = client
    client.release = () => release(true)
  })
}

function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (format !== 'binary' && oid === INT8) return Number
  if (format !== 'binary' && oid === DATE) return (value) => value
  if (format !== 'binary' && INT_ARRAYS.includes(oid)) return intArray
  if (format !== 'binary' && oid === TEXT_ARRAY) return textArray
  return types.getTypeParser(oid, format ?? 'text') as (value: string) => unknown
}

const parseIntArray = types.getTypeParser(INT4_ARRAY as number, 'text') as (value: string) => (number | null)[]

/** A plain array is JSON but for its braces. The driver's parser makes several objects for each number. */
function intArray(value: string): (number | null)[] {
  return /^\{[\d,-]*\}$/.test(value) ? (JSON.parse(`[${value.slice(1, -1)}]`) as number[]) : parseIntArray(value)
}

const parseTextArray = types.getTypeParser(TEXT_ARRAY, 'text') as (value: string) => string[]

/** An array without quotes needs no parser, which makes an object for each element. */
function textArray(value: string): string[] {
  if (value === '{}') return []
  return value.includes('"') || value.includes('NULL') || value.includes('{', 1)
    ? parseTextArray(value)
    : value.slice(1, -1).split(',')
}
