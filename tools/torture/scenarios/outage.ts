import { setTimeout as sleep } from 'node:timers/promises'
import { readAudience } from '../people.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { until } from '../../../server/test/support/until.ts'
import { drain, startCampaign, startService, type World } from '../world.ts'

// Four attempts take less than a second, and a lease 20. With this many users ten requests fail before one of them has
// failed four times.
const WORLD_OPTIONS = ({ users }: { users: number }) => ({
  users: Math.max(users, 1_500),
  settings: { PUSH_RATE_PER_SECOND: '20000', PUSH_CONCURRENCY: '1', PUSH_LEASE_SECONDS: '20' },
  provider: { latencyMs: 100 },
})
const AWAY_MS = 3_000

/** The provider refuses connections for longer than four attempts take. */
export const refusing: Scenario = {
  name: 'refusing',
  about: 'the provider refuses connections for longer than four attempts, then is back',
  worldOptions: WORLD_OPTIONS,
  run: (world) => runOutage(world, world.provider.goAway, world.provider.comeBack),
}

/** The provider answers 503 to everything for longer than four attempts take. */
export const failing: Scenario = {
  name: 'failing',
  about: 'the provider answers 503 for longer than four attempts, then is well',
  worldOptions: WORLD_OPTIONS,
  run: (world) =>
    runOutage(
      world,
      () => Promise.resolve(world.provider.script([{ times: 0, status: 503 }])),
      () => Promise.resolve(world.provider.clearScript()),
    ),
}

/** The breaker must open before any push runs out of attempts. */
async function runOutage(world: World, begin: () => Promise<void>, end: () => Promise<void>): Promise<Finding> {
  const { web, token } = await startService(world, 2)
  const audience = await readAudience(world.pool)
  const messageIds = [await startCampaign(world, web, token)]
  await begin()
  await until('the breaker opened', 15_000, async () => (await readBreaker(world)) !== 'closed')
  await sleep(AWAY_MS)
  const { sendRequests: requests } = world.provider.state()
  await end()
  await drain(world, messageIds)
  const finding = await toFinding(world, { messageIds, audience, duplicates: 'bounded' })
  const faults = [
    ...Object.entries(finding.figures.ended).map(([code, count]) => `${count} ended as ${code}, though it came back`),
    ...((await readBreaker(world)) === 'closed' ? [] : ['the breaker stayed open']),
  ]
  return {
    ...finding,
    faults: [...finding.faults, ...faults],
    notes: requests > 0 ? [`${requests} requests until it was well`] : [],
  }
}

async function readBreaker({ pool }: World): Promise<string> {
  const { rows } = await pool.query<{ breaker: string }>('select breaker from provider_state')
  return rows[0]?.breaker ?? ''
}
