import type { Socket } from 'node:net'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Pool, types, type PoolClient } from 'pg'
import type { Log } from '../shared/log.ts'
import type { Tables } from './tables.ts'

/** The database, or a transaction on it: the first argument of every query function. */
export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

const INT8 = 20
const INT8_ARRAY = 1016
const DATE = 1082

/** How long is waited, in milliseconds. */
export type Limits = {
  statementMs: number
  /** Longer than `idleMs`: who waits for a process that stands still outlasts it (ADR 014). */
  lockMs: number
  /** Between two statements of a transaction; then PostgreSQL ends the session, and its locks are free. */
  idleMs: number
  /** For a word from the database. It answers within `statementMs`, if only that it gave a statement up. */
  silenceMs: number
}

const LIMITS: Limits = { statementMs: 30_000, lockMs: 8_000, idleMs: 5_000, silenceMs: 35_000 }

/**
 * Opens a pool, in which every wait has an end (ADR 014). Ids are bigint in the database and numbers here (decision A7:
 * within JavaScript's safe range); a date stays YYYY-MM-DD. `limits` differ in tests and
 * for commands that an operator waits for; 0 is none.
 */
export function connect(url: string, options: { max: number; log: Log; limits?: Partial<Limits> }): Pool {
  const { statementMs, lockMs, idleMs, silenceMs } = { ...LIMITS, ...options.limits }
  const pool = new Pool({
    connectionString: url,
    max: options.max,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
    types: { getTypeParser },
  })
  pool.on('connect', (client) => {
    // A connection that dies between two statements of a transaction belongs to nobody who would listen; the next
    // statement fails, and that is where it is dealt with.
    client.on('error', () => undefined)
    const socket = socketOf(client)
    socket.setTimeout(silenceMs, () => socket.destroy(new Error('Connection terminated: the database fell silent')))
  })
  pool.on('error', (error) => options.log.warn({ err: error.message }, 'an idle database connection was lost'))
  return pool
}

/** Lets a connection wait as long as it takes, as a migration must. It should be closed afterwards, not given back. */
export async function liftLimits(client: PoolClient): Promise<void> {
  socketOf(client).setTimeout(0)
  await client.query('set lock_timeout = 0; set statement_timeout = 0')
}

/** Kysely over a pool. */
export function queryBuilder(pool: Pool): Db {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

// pg has no setting for this: its `query_timeout` leaves the connection in the pool with the statement still running.
function socketOf(client: PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (format !== 'binary' && oid === INT8) return Number
  if (format !== 'binary' && oid === DATE) return (value) => value
  if (format !== 'binary' && oid === INT8_ARRAY) return (value) => JSON.parse(`[${value.slice(1, -1)}]`) as number[]
  return types.getTypeParser(oid, format ?? 'text') as (value: string) => unknown
}
