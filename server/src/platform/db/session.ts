import type { ClientBase } from 'pg'

/** How long is waited, in milliseconds; 0 is for ever. */
export type Limits = {
  statementMs: number
  /** Longer than `idleMs`: who waits for a process that stands still outlasts it (ADR 014). */
  lockMs: number
  /** Between two statements of a transaction. Then PostgreSQL ends the session, and its locks are free. */
  idleMs: number
  /** For a word from the database. It answers within `statementMs`, if only that it gave a statement up. */
  silenceMs: number
}

export const LIMITS: Readonly<Limits> = { statementMs: 30_000, lockMs: 8_000, idleMs: 5_000, silenceMs: 35_000 }

/**
 * Who keeps the settings of a connection. `session`: one session of PostgreSQL belongs to each connection, directly or
 * through a pooler in session mode. `transaction`: a pooler lends a session for each transaction, so what one
 * transaction sets for its session the next one does not find, or another client does.
 */
export type Pooling = 'session' | 'transaction'

export type Server = {
  /** When it was started: no two servers that take over from each other have the same. */
  startedAt: string
  /** How far its clock is ahead of this process' monotonic clock, in milliseconds. */
  aheadMs: number
}

/** The SQLSTATE of a server that answers reads only: read_only_sql_transaction. */
export const READ_ONLY = '25006'

/** True in SQL when the server takes no writes now: it is a standby, or was set to read only. */
export const IS_READ_ONLY = `(pg_is_in_recovery() or current_setting('transaction_read_only')::boolean)`

const SERVER = `pg_postmaster_start_time()::text as "startedAt", clock_timestamp() as now`

/**
 * The first statement of a connection: it sets JIT off and the limits, where the session is ours to set, and asks which
 * server answers. It is a statement and not a startup parameter because poolers refuse those or ignore them. Throws
 * with the code 25006 when the server takes no writes, so that a service behind an address that still leads to a
 * standby says that it is unavailable.
 */
export async function openSession(client: ClientBase, limits: Limits, pooling: Pooling): Promise<Server> {
  const settings = pooling === 'session' ? `${settingsOf(limits)}, ` : ''
  const { isReadOnly, ...server } = await askServer(client, `${settings}${IS_READ_ONLY} as "isReadOnly"`)
  if (isReadOnly)
    throw Object.assign(new Error('The database takes no writes: it is a standby, or set to read only.'), {
      code: READ_ONLY,
    })
  return server
}

/** Asks which server answers, and its time, taken in the middle of the question. */
export async function askServer(
  client: ClientBase,
  more = 'false as "isReadOnly"',
): Promise<Server & { isReadOnly: boolean }> {
  const from = performance.now()
  const { rows } = await client.query<{ startedAt: string; now: Date; isReadOnly: boolean }>(
    `select ${SERVER}, ${more}`,
  )
  const middle = (from + performance.now()) / 2
  const [row] = rows
  if (row === undefined) throw new Error('The database did not identify its server.')
  return { startedAt: row.startedAt, aheadMs: row.now.getTime() - middle, isReadOnly: row.isReadOnly }
}

// JIT: with kinds of plans switched off (`planner.ts`), costs pass its threshold, and a campaign took five times as
// long.
function settingsOf({ statementMs, lockMs, idleMs }: Limits): string {
  return `set_config('jit', 'off', false), set_config('statement_timeout', '${statementMs}', false),
    set_config('lock_timeout', '${lockMs}', false), set_config('idle_in_transaction_session_timeout', '${idleMs}', false)`
}
