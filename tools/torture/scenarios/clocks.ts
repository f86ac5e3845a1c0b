import { setTimeout as sleep } from 'node:timers/promises'
import { startSkewedWorker } from '../clocks.ts'
import { readAudience } from '../people.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { drain, startCampaign, startService, type World } from '../world.ts'

const HOUR_MS = 3_600_000
const JUMPS = 12

/**
 * The clocks of two workers start 2 h ahead and 2 h behind, and keep jumping between the two. One worker is killed, so
 * that the other judges its leases.
 */
export const clocks: Scenario = {
  name: 'clocks',
  about: 'workers start 2 h ahead and 2 h behind, their clocks jump all the time, one is killed: nothing ends early',
  worldOptions: ({ users }) => ({
    settings: {
      PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 4), 50)),
      PUSH_TIMEOUT_SECONDS: '2',
      PUSH_LEASE_SECONDS: '4',
    },
    provider: { latencyMs: 150 },
  }),
  run,
}

async function run(world: World): Promise<Finding> {
  const { random, provider, pool } = world
  const { web, token } = await startService(world, 0)
  const audience = await readAudience(pool)
  const ahead = await startSkewedWorker(world, 'ahead', 2 * HOUR_MS)
  const behind = await startSkewedWorker(world, 'behind', -2 * HOUR_MS)
  const faulty = { match: 'send', times: 0, seed: world.plan.seed } as const
  provider.script([
    { ...faulty, probability: 0.1, status: 503 },
    { ...faulty, probability: 0.05, status: 429, headers: { 'Retry-After': inTwoSeconds() } },
  ])
  const messageIds = [await startCampaign(world, web, token)]
  for (let jump = 0; jump < JUMPS; jump++) {
    if (jump === JUMPS / 2) await behind.process.kill()
    await random.pick([ahead, behind]).set(random.pick([-2, 2, random.between(-120, 120) / 60]) * HOUR_MS)
    await sleep(random.between(0, 100))
  }
  messageIds.push(await startCampaign(world, web, token))
  await drain(world, messageIds)
  const finding = await toFinding(world, { messageIds, audience, duplicates: 'bounded' })
  const ended = Object.entries(finding.figures.ended).map(([code, count]) => `${count} ended as ${code}`)
  return {
    ...finding,
    faults: [...finding.faults, ...ended],
    notes: [...finding.notes, `${JUMPS} jumps of one clock or the other`],
  }
}

/** A time by the provider's clock; a worker must not compare it with its own wrong clock. */
function inTwoSeconds(): string {
  return new Date(Date.now() + 2_000).toUTCString()
}
