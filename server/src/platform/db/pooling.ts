import { Client, type ClientBase, type PoolClient } from 'pg'
import { closeWhenSilent, type DbPool } from './connect.ts'
import { LIMITS, type Pooling } from './session.ts'

const CLIENTS = 3
const ROUNDS = 4
// A pooler with too few connections may make a client wait for minutes.
const ANSWER_MS = 10_000

/** Finds a pooler in transaction mode: clients that ask one after another then get the same sessions. */
export async function findPooling(url: string): Promise<Pooling> {
  const clients = Array.from({ length: CLIENTS }, () => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: LIMITS.connectMs })
    return client.on('error', () => undefined)
  })
  try {
    for (const client of clients) {
      await client.connect()
      closeWhenSilent(client, ANSWER_MS)
    }
    const backends: Set<number>[] = clients.map(() => new Set())
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, client] of clients.entries()) backends[index]!.add(await readSession(client))
    const sessions = new Set(backends.flatMap((ids) => [...ids]))
    return backends.every((ids) => ids.size === 1) && sessions.size === CLIENTS ? 'session' : 'transaction'
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

/** Throws unless JIT is off and all limits of ADR 9 are set. In a transaction a pooler assigns a session to each. */
export async function expectLimits(pool: DbPool): Promise<void> {
  const clients: PoolClient[] = []
  try {
    // One after another: of several at once, one that fails would leave the others connected.
    while (clients.length < Math.min(CLIENTS, pool.options.max)) clients.push(await pool.connect())
    for (const found of await Promise.all(clients.map(readSettings))) {
      const faults = findFaults(found)
      if (faults.length > 0) throw new Error(`${faults.join('; ')}. ${remedy(pool.pooling, found)}`)
    }
  } finally {
    for (const client of clients) client.release()
  }
}

type Found = { role: string; database: string; jit: string; statementMs: number; lockMs: number; idleMs: number }

const ASKED = `
  select current_user as role, current_database() as database, current_setting('jit') as jit,
    (select setting::int from pg_settings where name = 'statement_timeout') as "statementMs",
    (select setting::int from pg_settings where name = 'lock_timeout') as "lockMs",
    (select setting::int from pg_settings where name = 'idle_in_transaction_session_timeout') as "idleMs"`

async function readSettings(client: ClientBase): Promise<Found> {
  await client.query('begin')
  const { rows } = await client.query<Found>(ASKED)
  await client.query('rollback')
  return rows[0]!
}

async function readSession(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}

function findFaults({ jit, statementMs, lockMs, idleMs }: Found): string[] {
  const faults: string[] = []
  if (jit !== 'off') faults.push(`jit is ${jit}`)
  if (statementMs === 0 || statementMs > LIMITS.statementMs)
    faults.push(`statement_timeout is ${statementMs} ms, not 1 to ${LIMITS.statementMs}`)
  if (idleMs === 0 || idleMs > LIMITS.idleMs)
    faults.push(`idle_in_transaction_session_timeout is ${idleMs} ms, not 1 to ${LIMITS.idleMs}`)
  if (lockMs <= idleMs || lockMs > statementMs)
    faults.push(`lock_timeout is ${lockMs} ms, not above the idle and up to the statement timeout`)
  return faults
}

function remedy(pooling: Pooling, { role, database }: Found): string {
  if (pooling === 'session') return 'Something between this process and PostgreSQL changes what a session is set to.'
  const whose = `alter role ${quoted(role)} in database ${quoted(database)} set`
  const { statementMs, lockMs, idleMs } = LIMITS
  const statements = [
    `${whose} jit = off;`,
    `${whose} statement_timeout = ${statementMs};`,
    `${whose} lock_timeout = ${lockMs};`,
    `${whose} idle_in_transaction_session_timeout = ${idleMs};`,
  ]
  return (
    'The pooler before the database lends its sessions for one transaction at a time, so the limits must be set on the role. ' +
    `Run, on PostgreSQL: ${statements.join(' ')} Then let the pooler reconnect (PgBouncer: RECONNECT), or set it to session mode.`
  )
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
