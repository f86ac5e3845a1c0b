import { startPgBouncer, type PoolMode } from '../../../server/test/support/pgbouncer.ts'
import { isInstalled } from '../../../server/test/support/programs.ts'
import { startEnvironment, type Environment, type EnvironmentOptions, type Missing } from '../environment.ts'

/** A server behind PgBouncer, which can be restarted. */
export type PoolerEnvironment = Environment & {
  /** Kills PgBouncer, and starts it at the same address `awayMs` later. */
  restartPooler(awayMs: number): Promise<void>
}

// Each connection of the service holds one of the server's in session mode, and four processes open up to 16 each.
const SERVER_CONNECTIONS = { session: 150, transaction: 30 }

// What docs/operations.md requires in transaction mode, where a session keeps no settings.
const ON_THE_ROLE = [
  'jit = off',
  'statement_timeout = 30000',
  'lock_timeout = 8000',
  'idle_in_transaction_session_timeout = 5000',
]

export const startSessionPooler = async (options: EnvironmentOptions): Promise<PoolerEnvironment | Missing> =>
  startPooler(options, 'session')
export const startTransactionPooler = async (options: EnvironmentOptions): Promise<PoolerEnvironment | Missing> =>
  startPooler(options, 'transaction')

async function startPooler(options: EnvironmentOptions, mode: PoolMode): Promise<PoolerEnvironment | Missing> {
  if (!isInstalled('pgbouncer')) return { missing: 'PgBouncer is not installed' }
  const servers = await startEnvironment(options)
  if ('missing' in servers) return servers
  const { cluster } = servers
  const pooler = await startPgBouncer(cluster.url('postgres'), mode, [
    'max_client_conn = 500',
    `default_pool_size = ${SERVER_CONNECTIONS[mode]}`,
  ])
  return {
    ...servers,
    server: `${servers.server}, behind PgBouncer in ${mode} mode`,
    newDatabase: async (name) => {
      const database = await servers.newDatabase(name)
      const own = new URL(database.direct).pathname.slice(1)
      const settings = mode === 'transaction' ? ON_THE_ROLE : []
      for (const setting of settings) await cluster.query(`alter role swapbell in database "${own}" set ${setting}`)
      return { ...database, url: pooler.through(database.direct) }
    },
    restartPooler: pooler.restart,
    close: async (keepFolder) => {
      await pooler.close()
      await servers.close(keepFolder)
    },
  }
}
