import type { ClientBase } from 'pg'

/** The limits are in milliseconds; 0 is for ever. */
export type Limits = {
  /** A connection must be made in this time, and be free in the pool. */
  connectMs: number
  statementMs: number
  /** Longer than `idleMs`, so that nobody fails because of a frozen process (ADR 9). */
  lockMs: number
  idleMs: number
  silenceMs: number
}

export const LIMITS: Readonly<Limits> = {
  connectMs: 3_000,
  statementMs: 30_000,
  lockMs: 8_000,
  idleMs: 5_000,
  silenceMs: 35_000,
}

/** `transaction`: a pooler lends a session for one transaction, so settings of the session do not last. */
export type Pooling = 'session' | 'transaction'

export type Server = {
  /** It differs between a server and the one that takes over from it. */
  startedAt: string
  aheadMs: number
}

export const READ_ONLY = '25006'

export const IS_READ_ONLY = `(pg_is_in_recovery() or current_setting('transaction_read_only')::boolean)`

const SERVER = `pg_postmaster_start_time()::text as "startedAt", clock_timestamp() as now`

/** Poolers refuse or ignore startup parameters, so it uses none. Throws 25006 when the server takes no writes. */
export async function openSession(client: ClientBase, limits: Limits, pooling: Pooling): Promise<Server> {
  const settings = pooling === 'session' ? `${writeSettings(limits)}, ` : ''
  const { isReadOnly, ...server } = await askServer(client, `${settings}${IS_READ_ONLY} as "isReadOnly"`)
  if (isReadOnly)
    throw Object.assign(new Error('The database takes no writes: it is a standby, or set to read only.'), {
      code: READ_ONLY,
    })
  return server
}

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

// JIT is off: where kinds of plans are switched off, costs exceed its threshold, and a campaign took five times as
// long.
function writeSettings({ statementMs, lockMs, idleMs }: Limits): string {
  return `set_config('jit', 'off', false), set_config('statement_timeout', '${statementMs}', false),
    set_config('lock_timeout', '${lockMs}', false), set_config('idle_in_transaction_session_timeout', '${idleMs}', false)`
}
