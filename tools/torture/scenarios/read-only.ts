import { setTimeout as sleep } from 'node:timers/promises'
import { startSynchronousPair } from '../environments/pair.ts'
import { watchReadiness, type Look } from '../readiness.ts'
import { runningOn } from '../scenario.ts'
import { runWithFault } from '../with-fault.ts'

const READ_ONLY_MS = 5_000
// A process may notice it only with its next statement.
const NOTICED_WITHIN_MS = 2_000

/** The address leads to the standby before the promotion: for some seconds every write is refused. */
export const readOnly = runningOn(startSynchronousPair, {
  name: 'read-only',
  about: 'the primary dies, and the address leads to the read-only standby for 5 s before it is promoted',
  worldOptions: ({ users }) => ({
    settings: {
      PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 3), 100)),
      PUSH_TIMEOUT_SECONDS: '4',
      PUSH_LEASE_SECONDS: '8',
    },
    provider: { latencyMs: 150 },
  }),
  run: (world, environment) =>
    runWithFault(world, { duplicates: 'none' }, async ({ webs: [web] }) => {
      const readiness = watchReadiness(web?.url ?? '')
      await environment.killPrimary()
      environment.moveAddress()
      const from = performance.now()
      await sleep(READ_ONLY_MS)
      const to = performance.now()
      await environment.promote()
      await sleep(NOTICED_WITHIN_MS)
      return checkReadiness(await readiness.stop(), from + NOTICED_WITHIN_MS, to)
    }),
})

/** Between these moments the process cannot write, so it must not report ready. */
function checkReadiness(looks: Look[], from: number, to: number): { faults: string[]; notes: string[] } {
  const during = looks.filter(({ at }) => at > from && at < to)
  const wrong = during.filter(({ status }) => status !== 503)
  return {
    faults:
      wrong.length > 0 ? [`/api/ready said ${wrong[0]?.status} on a read-only server, ${wrong.length} times`] : [],
    notes: [`/api/ready was asked ${during.length} times while the server was read-only`],
  }
}
