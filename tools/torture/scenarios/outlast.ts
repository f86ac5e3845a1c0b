import { setTimeout as sleep } from 'node:timers/promises'
import { startEnvironment } from '../environment.ts'
import { runningOn } from '../scenario.ts'
import { runWithFault } from '../with-fault.ts'

const LEASE_SECONDS = 3

/** PostgreSQL is down for much longer than a lease, while workers hold tickets. */
export const outlast = runningOn(startEnvironment, {
  name: 'outlast',
  about: 'PostgreSQL is unreachable for several leases (--outage seconds): tickets are kept, nothing is doubled',
  worldOptions: ({ users }) => ({
    settings: {
      PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 3), 100)),
      PUSH_TIMEOUT_SECONDS: '2',
      PUSH_LEASE_SECONDS: String(LEASE_SECONDS),
      PUSH_CONCURRENCY: '48',
    },
    // Long enough that PostgreSQL stops during requests.
    provider: { latencyMs: 1_000 },
  }),
  run: (world, { cluster }) =>
    runWithFault(world, { duplicates: 'none' }, async () => {
      const seconds = world.plan.outageSeconds
      const { rowCount } = await world.pool.query('select from requests where outcome is null')
      await cluster.stop('immediate')
      await sleep(seconds * 1_000)
      await cluster.start()
      return { notes: [`away for ${seconds} s, a lease is ${LEASE_SECONDS} s; ${rowCount} requests were in flight`] }
    }),
})
