import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, Runner, Tx } from './connect.ts'
import { errorCode } from '../shared/errors.ts'

const ATTEMPTS = 3
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const ABORTED = '25P02'

/**
 * Tries a deadlock, a serialization failure and a stale plan three times, so `work` must do nothing that outlives a
 * rollback. If the fault was of another transaction around it, a second attempt only hears that this is aborted.
 */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  let fault: unknown
  for (let attempt = 1; ; attempt++) {
    const committed = await commitOnce(db, work).catch(async (error: unknown) => {
      const code = errorCode(error)
      if (code === ABORTED && attempt > 1) throw fault
      fault = error
      const mayPass = code === SERIALIZATION_FAILURE || code === DEADLOCK || isStalePlan(error)
      if (attempt === ATTEMPTS || !mayPass) throw error
      await wait(Math.random() * 20 * attempt)
    })
    if (committed === undefined) continue
    for (const run of committed.after) await run(db)
    return committed.result
  }
}

async function commitOnce<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<{ result: T; after: AfterCommit[] }> {
  const [before, after]: [(() => Promise<void>)[], AfterCommit[]] = [[], []]
  const result = await db.transaction().execute(async (tx) => {
    const hooks = { [BEFORE_COMMIT]: before, [AFTER_COMMIT]: after, [PIPELINED]: isPipelined(db) }
    const done = await work(Object.assign(tx, hooks))
    // One statement at a time: they share a connection.
    for (const run of before) await run()
    return done
  })
  return { result, after }
}

/**
 * Statements that `work` starts beside one another run in their order, and take one round trip where the database of
 * the transaction is `pipelined`. The first that fails fails all, and the transaction with them.
 */
export function together<T>(tx: Db, work: (runner: Runner) => Promise<T>): Promise<T> {
  if (!isPipelined(tx)) return work(tx)
  const executor = tx.getExecutor()
  const sent: Promise<unknown>[] = []
  // The transaction would keep each statement back until the one before is answered; the driver need not.
  return executor.provideConnection((connection) => {
    const provideConnection: typeof executor.provideConnection = (use) => {
      const statement = use(connection)
      sent.push(statement)
      return statement
    }
    const beside = executor.withConnectionProvider({ provideConnection })
    return work(Object.assign({ getExecutor: () => beside }, { [PIPELINED]: true })).catch(async (error: unknown) => {
      throw await findCause(error, sent)
    })
  })
}

/** A statement after the one that failed says only that the transaction is aborted, and may be heard first. */
async function findCause(heard: unknown, sent: Promise<unknown>[]): Promise<unknown> {
  if (errorCode(heard) !== ABORTED) return heard
  const faults = (await Promise.allSettled(sent)).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  return faults.find((fault) => errorCode(fault) !== ABORTED) ?? heard
}

/** `tx` speaks to the server of a home: what homes do not have is asked of `coordinator`, which commits apart. */
export function apart(tx: Tx, coordinator: Db): Tx {
  return Object.assign(tx, { [COORDINATOR]: coordinator })
}

/** The transaction itself, unless it speaks to the server of a home. */
export function toCoordinator(tx: Tx): Db {
  return (tx as Hooks)[COORDINATOR] ?? tx
}

/** The same as `together`, with what is asked of the coordinator. */
export function togetherWithPeople<T>(tx: Tx, work: (runner: Runner, people: Runner) => Promise<T>): Promise<T> {
  const coordinator = toCoordinator(tx)
  return together(tx, (runner) =>
    coordinator === tx ? work(runner, runner) : together(coordinator, (people) => work(runner, people)),
  )
}

const BEFORE_COMMIT = Symbol('before commit')
const AFTER_COMMIT = Symbol('after commit')
const PIPELINED = Symbol('pipelined')
const COORDINATOR = Symbol('coordinator')

/** Says that connections of `db` write a statement before the one before is answered. */
export function markPipelined(db: Db): Db {
  return Object.assign(db, { [PIPELINED]: true })
}

export function isPipelined(db: Runner): boolean {
  return (db as Hooks)[PIPELINED] === true
}

/** Runs `then` last in the transaction (at once without one), so that a lock which all need is held only briefly. */
export async function beforeCommit(tx: Tx, then: () => Promise<void>): Promise<void> {
  const { [BEFORE_COMMIT]: before } = tx as Hooks
  if (before) before.push(then)
  else await then()
}

type AfterCommit = (db: Db) => unknown

/**
 * Runs `then` after the commit, never after a rollback, and waits for it. It must not throw. It may never run: the
 * process may end.
 */
export function afterCommit(tx: Db | Tx, then: AfterCommit): void {
  const { [AFTER_COMMIT]: after } = tx as Hooks
  if (after) after.push(then)
  else then(tx)
}

/** Does `work`, throws what it throws, and takes back all that it did. */
export async function tried(tx: Tx, work: () => Promise<unknown>): Promise<void> {
  const { [BEFORE_COMMIT]: before = [], [AFTER_COMMIT]: after = [] } = tx as Hooks
  const [keptBefore, keptAfter] = [before.length, after.length]
  await sql`savepoint tried`.execute(tx)
  await work()
  await sql`rollback to savepoint tried`.execute(tx)
  before.length = keptBefore
  after.length = keptAfter
}

type Hooks = {
  [BEFORE_COMMIT]?: (() => Promise<void>)[]
  [AFTER_COMMIT]?: AfterCommit[]
  [PIPELINED]?: boolean
  [COORDINATOR]?: Db
}

const UNAVAILABLE_STATES = [
  '08', // connection exceptions; PgBouncer's own errors
  '25006', // read_only_sql_transaction: a standby, or set to read only
  '25P03', // idle within a transaction
  '25P04', // a transaction that took too long
  '28', // the role may not sign in now; told only while connecting
  '3D000', // the database does not exist now; told only while connecting
  '40001', // on a standby; elsewhere `inTransaction` has tried again
  '53', // too many connections, disk full, out of memory
  '55000', // not accepting connections, or not while it recovers
  '57P0', // shut down, crashed, starting, the database dropped, idle for too long
  '58', // errors of the machine under it, such as a disk that fails
]

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

// What Citus says, as an internal error, when it loses a server in the middle of a transaction, or its disk is full.
const LOST_SERVER =
  /server closed the connection|connection not open|no connection to the server|could not (?:receive|send) data|SSL SYSCALL error|SSL connection has been closed|could not commit transaction for shard|connection marked as essential|No space left on device/

// Serialization failure, deadlock, lock not available, statement cancelled.
const IN_THE_WAY = new Set(['40001', '40P01', '55P03', '57014'])

/** Another transaction or a time limit stopped the statement; the error says nothing about the work itself. */
export function isInTheWay(error: unknown): boolean {
  return IN_THE_WAY.has(errorCode(error) ?? '')
}

/** A migration changed the columns of a prepared statement. The server says it in its own language. */
export function isStalePlan(error: unknown): boolean {
  return errorCode(error) === '0A000' && (error as { routine?: string }).routine === 'RevalidateCachedQuery'
}

export function isLockTimeout(error: unknown): boolean {
  return errorCode(error) === '55P03'
}

export function isStatementTimeout(error: unknown): boolean {
  return errorCode(error) === '57014'
}

/** The same call may work later. Not for 57014, which would take too long again, and conflicts of two transactions. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // Node reports each address that it tried.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.some(isDatabaseUnavailable)
  const code = errorCode(error) ?? ''
  const { message = '' } = (error ?? {}) as { message?: string }
  const isCoded = UNAVAILABLE_STATES.some((state) => code.startsWith(state)) || UNAVAILABLE_SOCKETS.has(code)
  const isLost = code === 'XX000' && LOST_SERVER.test(message)
  return isCoded || isLost || isStalePlan(error) || UNAVAILABLE_MESSAGES.test(message)
}

/** A transaction that waits for another one may do nothing for longer than others. */
export async function waitLong(tx: Tx): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = '40s'`.execute(tx)
}
