import { setTimeout as sleep } from 'node:timers/promises'
import { call, expectStatus, sendToAll } from '../api.ts'
import { check } from '../checker.ts'
import { readAudience } from '../people.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { claimedInQuiet, unselected, type Quiet } from '../stops.ts'
import { drain, startService, type World } from '../world.ts'

/** Campaigns are paused, resumed and stopped while the provider misbehaves and a worker is killed. */
export const controls: Scenario = {
  name: 'controls',
  about: 'pause, resume and stop under kills, 503, 504 and 429: nothing is claimed after the answer',
  worldOptions: ({ users }) => ({
    // Two to three seconds a campaign, and a pause takes a third of that: several claims would happen in it.
    users: Math.max(users, 800),
    settings: { PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 3), 300)), PUSH_LEASE_SECONDS: '4' },
    provider: { latencyMs: 150 },
  }),
  run,
}

type Control = 'pause' | 'resume' | 'stop'

const PAUSE_MS = 1_000

async function run(world: World): Promise<Finding> {
  const { random, plan, provider } = world
  const { web, token, workers } = await startService(world, 2)
  const audience = await readAudience(world.pool)
  const faulty = { match: 'send', times: 0, seed: plan.seed } as const
  provider.script([
    { ...faulty, probability: 0.1, status: 503 },
    { ...faulty, probability: 0.1, status: 504, accept: true },
    { ...faulty, probability: 0.1, status: 429, headers: { 'Retry-After': '1' } },
  ])
  const control = async (messageId: number, what: Control) => {
    const path = `/api/admin/promotional-notifications/${messageId}/${what}`
    // Twice at once, like a double click: it is one change.
    const answers = await Promise.all([1, 2].map(() => call(web.url, 'POST', path, { token })))
    for (const answer of answers) expectStatus(200, answer)
    return Date.now()
  }
  const quiets: Quiet[] = []
  const [whole, stopped]: [number[], number[]] = [[], []]
  for (let round = 0; round < Math.max(2, Math.round(plan.kills / 5)); round++) {
    const messageId = await sendToAll(web.url, token)
    await sleep(random.between(0, 500))
    const from = await control(messageId, 'pause')
    if (round % 2 === 0) {
      await workers[0]?.kill()
      workers[0] = await world.startWorker()
    }
    await sleep(PAUSE_MS)
    quiets.push({ messageId, what: 'paused', from, to: Date.now() })
    await control(messageId, 'resume')
    await sleep(random.between(0, 500))
    if (round % 2 === 0) whole.push(messageId)
    else {
      stopped.push(messageId)
      quiets.push({ messageId, what: 'stopped', from: await control(messageId, 'stop'), to: Infinity })
    }
  }
  const messageIds = [...whole, ...stopped]
  await drain(world, messageIds)
  const { faults } = await check(world, { messageIds: whole, audience, duplicates: 'bounded' })
  const missed = await unselected(world, stopped, audience.selected)
  const claimed = await claimedInQuiet(world, quiets)
  return toFinding(
    world,
    { messageIds, duplicates: 'bounded' },
    {
      faults: [...faults, ...missed, ...claimed],
      notes: [`${whole.length} paused and resumed, ${stopped.length} stopped`],
    },
  )
}
