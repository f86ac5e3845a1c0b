import { setTimeout as sleep } from 'node:timers/promises'
import { startSessionPooler, startTransactionPooler, type PoolerEnvironment } from '../environments/pooler.ts'
import { runningOn } from '../scenario.ts'
import { runWithFault } from '../with-fault.ts'
import type { Plan, World, WorldOptions } from '../world.ts'

const AWAY_MS = 2_000

const worldOptions = ({ users }: Plan): WorldOptions => ({
  settings: {
    PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 3), 100)),
    PUSH_TIMEOUT_SECONDS: '4',
    PUSH_LEASE_SECONDS: '20',
  },
  provider: { latencyMs: 150 },
})

/** The service reaches PostgreSQL through PgBouncer; each of its connections has one server connection. */
export const poolerSession = runningOn(startSessionPooler, {
  name: 'pooler-session',
  about: 'PgBouncer in session mode, restarted in the middle of a campaign and away for 2 s',
  worldOptions,
  run,
})

/** The same, but each transaction may use another server connection. */
export const poolerTransaction = runningOn(startTransactionPooler, {
  name: 'pooler-transaction',
  about: 'PgBouncer in transaction mode, restarted in the middle of a campaign and away for 2 s',
  worldOptions,
  run,
})

async function run(world: World, environment: PoolerEnvironment) {
  return runWithFault(world, { duplicates: 'none' }, async () => {
    await environment.restartPooler(AWAY_MS)
    await sleep(AWAY_MS)
    return {}
  })
}
