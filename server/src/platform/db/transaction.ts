import { setTimeout as wait } from 'node:timers/promises'
import type { Db, Tx } from './connect.ts'

const ATTEMPTS = 3
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'

/**
 * Runs `work` in one transaction and gives its result. A deadlock or serialization failure is tried again, three times
 * in all, so `work` must do nothing that outlives a rollback.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const [before, after]: [(() => Promise<void>)[], (() => void)[]] = [[], []]
    try {
      const result = await db.transaction().execute(async (tx) => {
        const done = await work(Object.assign(tx, { [BEFORE_COMMIT]: before, [AFTER_COMMIT]: after }))
        // In the order in which they were asked for. One statement at a time: they share a connection.
        for (const run of before) await run()
        return done
      })
      for (const run of after) run()
      return result
    } catch (error) {
      const code = (error as { code?: string }).code
      if (attempt === ATTEMPTS || (code !== SERIALIZATION_FAILURE && code !== DEADLOCK)) throw error
      await wait(Math.random() * 20 * attempt)
    }
  }
}

const BEFORE_COMMIT = Symbol('before commit')
const AFTER_COMMIT = Symbol('after commit')

/**
 * Runs `then` as the last part of the transaction of `inTransaction`; without such a transaction at once. It is for a
 * lock that everybody takes, so that it is held for the time of a commit alone, wherever in the work it is asked for.
 */
export async function beforeCommit(tx: Tx, then: () => Promise<void>): Promise<void> {
  const { [BEFORE_COMMIT]: before } = tx as { [BEFORE_COMMIT]?: (() => Promise<void>)[] }
  if (before) before.push(then)
  else await then()
}

/**
 * Runs `then` once the transaction of `inTransaction` has committed, and never when it rolls back; without such a
 * transaction at once. It must not throw, and what it does must not matter to what is true: the process may end in
 * between.
 */
export function afterCommit(tx: Db | Tx, then: () => void): void {
  const { [AFTER_COMMIT]: after } = tx as { [AFTER_COMMIT]?: (() => void)[] }
  if (after) after.push(then)
  else then()
}

/** What PostgreSQL, or a pooler before it, says when it cannot be used now: the beginnings of such SQLSTATEs. */
const UNAVAILABLE_STATES = [
  '08', // connection exceptions; PgBouncer's own errors
  '25006', // read_only_sql_transaction: the address leads to a standby, or the server was set to read only
  '25P03', // the session was ended: idle within a transaction
  '25P04', // the session was ended: a transaction that took too long
  '28', // the role may not sign in now; told only while connecting
  '3D000', // the database does not exist now; told only while connecting
  '40001', // on a standby, a statement stood in the way of recovery; elsewhere `inTransaction` has tried again
  '53', // too many connections, disk full, out of memory
  '55000', // not accepting connections, or not while it recovers
  '57P0', // shut down, crashed, starting, the database dropped, idle for too long
  '58', // errors of the machine under it, such as a disk that fails
]

/** What the system says when the other end cannot be reached, or we cannot open one more socket. */
const UNAVAILABLE_SOCKETS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENETRESET',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
])

// The driver gives these no code.
const UNAVAILABLE_MESSAGES =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|client has encountered a connection error|client was closed|cannot use a pool after calling end|does not support ssl|establishing an ssl connection/i

/** True when a table or row was in use for longer than the transaction waits for one. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '55P03'
}

/** True when a statement was given up at its time limit. */
export function isStatementTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '57014'
}

/**
 * True when the error says that the database is unreachable or takes no writes now, so that the same call may work
 * later. A statement that was cancelled (57014) is not among them: it took too long, and would again. Nor are conflicts
 * of two transactions (40P01, 55P03).
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  // Node reports each address that it tried.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.some(isDatabaseUnavailable)
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string }
  if (
    typeof code === 'string' &&
    (UNAVAILABLE_STATES.some((state) => code.startsWith(state)) || UNAVAILABLE_SOCKETS.has(code))
  )
    return true
  return UNAVAILABLE_MESSAGES.test(message ?? '')
}
