import { setTimeout as sleep } from 'node:timers/promises'
import { sendToAll } from '../api.ts'
import { readAudience } from '../people.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { drain, isBusy, startService, type World } from '../world.ts'

/** One of two workers is killed at random moments, over and over, while campaigns run. */
export const kill: Scenario = {
  name: 'kill',
  about: 'kill -9 of a worker at random moments of campaigns, two workers',
  // About four seconds a campaign, so that kills hit it.
  worldOptions: ({ users }) => ({
    settings: { PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 4), 150)) },
    provider: { latencyMs: 200 },
  }),
  run,
}

async function run(world: World): Promise<Finding> {
  const { plan, random, pool } = world
  const { web, token, workers } = await startService(world, 2)
  const audience = await readAudience(pool)
  const messageIds = [await sendToAll(web.url, token)]
  for (let kills = 0; kills < plan.kills; kills++) {
    if (!(await isBusy(world))) messageIds.push(await sendToAll(web.url, token))
    await sleep(random.between(20, 700))
    const victim = random.between(0, workers.length - 1)
    await workers[victim]?.kill()
    workers[victim] = await world.startWorker({ PUSH_CONCURRENCY: String(random.between(1, 6)) })
  }
  await drain(world, messageIds)
  const { rowCount } = await pool.query(`select from requests where outcome = 'unknown'`)
  const notes = [`${plan.kills} kills in ${messageIds.length} campaigns left ${rowCount} requests without an outcome`]
  return toFinding(world, { messageIds, audience, duplicates: 'bounded' }, { notes })
}
