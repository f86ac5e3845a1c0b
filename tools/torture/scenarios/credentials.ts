import type { FaultStep } from '../../../simulator/src/script.ts'
import { countRemoved, resume, untilHalted } from '../halt.ts'
import { readAudience } from '../people.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { drain, startCampaign, startService, type World } from '../world.ts'

/** The provider refuses our credentials: sending halts for everyone, and continues where it was once they are right. */
export const credentials: Scenario = {
  name: 'credentials',
  about: 'refused credentials halt sending; after the resume all is sent',
  worldOptions: ({ users }) => ({
    users: Math.max(users, 800),
    settings: {
      PUSH_RATE_PER_SECOND: '20000',
      PUSH_CONCURRENCY: '1',
      PUSH_TIMEOUT_SECONDS: '5',
      PUSH_LEASE_SECONDS: '20',
    },
    provider: { latencyMs: 150 },
  }),
  run,
}

const REFUSALS: FaultStep[] = [
  { match: 'send', times: 0, status: 401, errors: [{ code: 'UNAUTHORIZED', message: 'no' }] },
]

async function run(world: World): Promise<Finding> {
  const { web, token } = await startService(world, 2)
  const audience = await readAudience(world.pool)
  const messageIds: number[] = []
  const notes: string[] = []
  for (const refusal of REFUSALS) {
    messageIds.push(await startCampaign(world, web, token))
    const before = world.provider.state().scriptedFaults
    world.provider.script([refusal])
    await untilHalted(world)
    notes.push(`${world.provider.state().scriptedFaults - before} requests met the refusal before all stood still`)
    world.provider.clearScript()
    await resume(web.url, token)
    await drain(world, messageIds)
  }
  const finding = await toFinding(world, { messageIds, audience, duplicates: 'none' }, { notes })
  const removed = await countRemoved(world)
  const faults = [
    ...Object.entries(finding.figures.ended).map(([code, count]) => `${count} ended as ${code}`),
    ...(removed === 0 ? [] : [`${removed} phones were removed`]),
  ]
  return { ...finding, faults: [...finding.faults, ...faults] }
}
