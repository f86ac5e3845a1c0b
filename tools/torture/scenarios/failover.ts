import { startSynchronousPair } from '../environments/pair.ts'
import { runningOn } from '../scenario.ts'
import { runWithFault } from '../with-fault.ts'

/** The primary dies during a campaign; its synchronous standby is promoted and takes over its address at once. */
export const failover = runningOn(startSynchronousPair, {
  name: 'failover',
  about: 'the primary dies, the synchronous standby is promoted, the address moves at once: nothing is lost or doubled',
  worldOptions: ({ users }) => ({
    settings: {
      PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 3), 100)),
      PUSH_TIMEOUT_SECONDS: '4',
      PUSH_LEASE_SECONDS: '8',
    },
    provider: { latencyMs: 150 },
  }),
  run: (world, environment) =>
    runWithFault(world, { duplicates: 'none' }, async () => {
      const from = performance.now()
      await environment.killPrimary()
      await environment.promote()
      environment.moveAddress()
      return { notes: [`the address led to the new primary ${Math.round(performance.now() - from)} ms after the end`] }
    }),
})
