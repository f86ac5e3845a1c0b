import { setTimeout as sleep } from 'node:timers/promises'
import { readAudience } from '../people.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { drain, startCampaign, startService, type World } from '../world.ts'

const IN_TIME_MS = 25_000

/** A worker gets SIGTERM while the provider accepts its pushes and never answers, and many more requests wait. */
export const hang: Scenario = {
  name: 'hang',
  about: 'SIGTERM of a worker while the provider never answers: in order, in time, and nothing forgotten',
  // About twenty requests for two slots: together they would take longer than the time that is left.
  worldOptions: ({ users }) => ({
    users: Math.max(users, 2_000),
    settings: { PUSH_CONCURRENCY: '2', PUSH_TIMEOUT_SECONDS: '10', PUSH_LEASE_SECONDS: '60' },
  }),
  run,
}

async function run(world: World): Promise<Finding> {
  const { web, token, workers } = await startService(world, 1)
  const audience = await readAudience(world.pool)
  world.provider.script([{ match: 'send', times: 0, delayMs: 120_000, accept: true }])
  const messageIds = [await startCampaign(world, web, token)]
  await sleep(world.random.between(100, 500))
  const end = await workers[0]?.terminate()
  const { sendRequests } = world.provider.state()
  const { rowCount } = await world.pool.query('select from requests where outcome is null')
  world.provider.clearScript()
  await world.startWorker()
  await drain(world, messageIds)
  const faults = [
    ...(end?.code === 0 && end.ms <= IN_TIME_MS ? [] : [`SIGTERM: ended with ${end?.code} after ${end?.ms} ms`]),
    ...(rowCount === 0 ? [] : [`${rowCount} requests were left without an outcome`]),
  ]
  const notes = [`ended with ${end?.code} after ${end?.ms} ms; ${sendRequests} requests had been made`]
  return toFinding(world, { messageIds, audience, duplicates: 'exact' }, { faults, notes })
}
