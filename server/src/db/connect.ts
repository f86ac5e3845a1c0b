import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Pool, types } from 'pg'
import type { Log } from '../shared/log.ts'
import type { Tables } from './tables.ts'

/** The database, or a transaction on it: the first argument of every query function. */
export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

const INT8 = 20
const INT8_ARRAY = 1016
const DATE = 1082

/**
 * Opens a pool. Every wait has a bound: 3 s to connect, 5 s for a lock, `statementSeconds` for a statement. Ids are
 * bigint in the database and numbers here (decision A7: within JavaScript's safe range); a date stays YYYY-MM-DD.
 */
export function connect(url: string, options: { max: number; log: Log; statementSeconds?: number }): Pool {
  const pool = new Pool({
    connectionString: url,
    max: options.max,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: (options.statementSeconds ?? 30) * 1_000,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 60_000,
    types: { getTypeParser },
  })
  // A connection that dies between two statements of a transaction belongs to nobody who would listen; the next
  // statement fails, and that is where it is dealt with.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', (error) => options.log.warn({ err: error.message }, 'an idle database connection was lost'))
  return pool
}

/** Kysely over a pool. */
export function queryBuilder(pool: Pool): Db {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (format !== 'binary' && oid === INT8) return Number
  if (format !== 'binary' && oid === DATE) return (value) => value
  if (format !== 'binary' && oid === INT8_ARRAY) return (value) => JSON.parse(`[${value.slice(1, -1)}]`) as number[]
  return types.getTypeParser(oid, format ?? 'text') as (value: string) => unknown
}
