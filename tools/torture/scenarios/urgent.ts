import { setTimeout as sleep } from 'node:timers/promises'
import { MESSAGE, sendToAll, sendToNamed } from '../api.ts'
import { check } from '../checker.ts'
import { eligibleUsers, readAudience } from '../people.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { drain, startService, type World } from '../world.ts'

const SENDS_A_KILL = 3

/** Transactional pushes to single users while campaigns run and a worker is killed over and over. */
export const urgent: Scenario = {
  name: 'urgent',
  about: 'transactional pushes beside campaigns, kill -9 of a worker between them',
  worldOptions: ({ users }) => ({
    settings: { PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 4), 150)) },
    provider: { latencyMs: 150 },
  }),
  run,
}

async function run(world: World): Promise<Finding> {
  const { plan, random, pool } = world
  const { web, token, workers } = await startService(world, 2)
  const audience = await readAudience(pool)
  const everybody = await eligibleUsers(pool)
  const campaigns = [await sendToAll(web.url, token)]
  const sends: number[] = []
  for (let kills = 0; kills < Math.ceil(plan.kills / 2); kills++) {
    for (const userId of random.some(everybody, SENDS_A_KILL)) {
      sends.push(await sendToNamed(web.url, token, { ...MESSAGE, user_ids: [userId], promotional: false }))
      await sleep(random.between(0, 200))
    }
    const victim = random.between(0, workers.length - 1)
    await workers[victim]?.kill()
    workers[victim] = await world.startWorker()
    if (kills % 5 === 4) campaigns.push(await sendToAll(web.url, token))
  }
  const messageIds = [...campaigns, ...sends]
  await drain(world, messageIds)
  const { faults } = await check(world, { messageIds: campaigns, audience, duplicates: 'bounded' })
  const notes = [
    `${sends.length} transactional sends beside ${campaigns.length} campaigns; ${await waited(world, sends)}`,
  ]
  return toFinding(world, { messageIds, duplicates: 'bounded' }, { faults, notes })
}

/** The time from a send's request to its first acceptance. */
async function waited({ pool, provider }: World, messageIds: number[]): Promise<string> {
  const { rows } = await pool.query<{ id: number; at: Date }>(
    `select n.notification_id::int as id, m.created_at as at from notifications n join messages m using (message_id)
     where message_id = any($1)`,
    [messageIds],
  )
  const firstAt = new Map(
    provider
      .accepted()
      .toReversed()
      .map((entry) => [Number(entry.notification_id), entry.time]),
  )
  const waits = rows.map(({ id, at }) => (firstAt.get(id) ?? Infinity) - at.getTime()).toSorted((a, b) => a - b)
  const share = (part: number) => waits[Math.min(Math.floor(waits.length * part), waits.length - 1)]
  return `accepted after ${share(0.5)} ms (half of them), ${share(0.95)} ms (95 %), ${share(1)} ms (all)`
}
