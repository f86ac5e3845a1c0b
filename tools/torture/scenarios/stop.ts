import { readAudience } from '../people.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { drain, startCampaign, startService, type World } from '../world.ts'

const IN_TIME_MS = 25_000

/** A worker gets SIGTERM during its batches, and another does the rest. */
export const stop: Scenario = {
  name: 'stop',
  about: 'SIGTERM of a worker mid-batch: in order, in time, nothing doubled',
  worldOptions: ({ users }) => ({
    settings: {
      PUSH_RATE_PER_SECOND: String(Math.max(users, 300)),
      PUSH_TIMEOUT_SECONDS: '5',
      PUSH_LEASE_SECONDS: '20',
    },
    provider: { latencyMs: 400 },
  }),
  run,
}

async function run(world: World): Promise<Finding> {
  const { web, token, workers } = await startService(world, 1)
  const audience = await readAudience(world.pool)
  let [worker] = workers
  const messageIds: number[] = []
  const faults: string[] = []
  const notes: string[] = []
  const rounds = Math.max(1, Math.round(world.plan.kills / 5))
  for (let round = 0; round < rounds; round++) {
    messageIds.push(await startCampaign(world, web, token))
    const end = await worker?.terminate()
    notes.push(`ended with ${end?.code} after ${end?.ms} ms`)
    if (end?.code !== 0 || end.ms > IN_TIME_MS) faults.push(`SIGTERM: ended with ${end?.code} after ${end?.ms} ms`)
    const { rows } = await world.pool.query('select from requests where outcome is null')
    if (rows.length > 0) faults.push(`${rows.length} requests were left without an outcome`)
    worker = await world.startWorker()
    await drain(world, messageIds)
  }
  return toFinding(world, { messageIds, audience, duplicates: 'none' }, { faults, notes })
}
