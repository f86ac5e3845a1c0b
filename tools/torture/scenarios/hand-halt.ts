import { setTimeout as sleep } from 'node:timers/promises'
import { openDeafPooler } from '../../../server/test/support/deaf-pooler.ts'
import { call, expectStatus } from '../api.ts'
import { resume } from '../halt.ts'
import { readAudience } from '../people.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { drain, startCampaign, startService, type World } from '../world.ts'

/** An administrator halts sending during a campaign: nothing is sent after a second. */
export const handHalt: Scenario = {
  name: 'hand-halt',
  about: 'halted by hand at 600/s: no request after a second, nor of a worker that starts then; the resume sends all',
  worldOptions: () => ({
    users: 1_200,
    settings: { PUSH_RATE_PER_SECOND: '600', PUSH_TIMEOUT_SECONDS: '5', PUSH_LEASE_SECONDS: '20' },
    provider: { latencyMs: 150 },
  }),
  run,
}

const HALTS = 2
const HONOURED_MS = 1_000
const WATCH_MS = 2_500

async function run(world: World): Promise<Finding> {
  const { web, token, workers } = await startService(world, 1)
  // The other one hears no notification, as through a pooler in transaction mode.
  const direct = new URL(world.databaseUrl)
  const pooler = await openDeafPooler(Number(direct.port))
  direct.port = String(pooler.port)
  await world.startWorker({ DATABASE_URL: direct.href })
  const audience = await readAudience(world.pool)
  const messageId = await startCampaign(world, web, token)
  const faults: string[] = []
  const notes: string[] = []
  for (let halt = 0; halt < HALTS; halt++) {
    await sleep(world.random.between(500, 800))
    const before = world.provider.accepted().length
    const body = { reason: 'A drill' }
    expectStatus(200, await call(web.url, 'POST', '/api/admin/push-status/halt', { token, body }))
    const lastMs = await lastRequestMs(world, async () => {
      // A worker that dies now settles nothing; one that starts now stays halted.
      if (halt === 0) return
      await workers[0]?.kill()
      await world.startWorker()
    })
    notes.push(`the last request began ${lastMs} ms after the answer, ${world.provider.accepted().length} accepted`)
    if (lastMs > HONOURED_MS) faults.push(`a request began ${lastMs} ms after sending was halted`)
    if (before === audience.devices) faults.push('the campaign was over before the halt')
    await resume(web.url, token)
  }
  await drain(world, [messageId])
  await pooler.close()
  return toFinding(world, { messageIds: [messageId], audience, duplicates: 'bounded' }, { faults, notes })
}

/** The time from now to the last request to the provider, during `meanwhile`. */
async function lastRequestMs({ provider }: World, meanwhile: () => Promise<void>): Promise<number> {
  const from = performance.now()
  let seen = provider.state().sendRequests
  let last = 0
  const done = meanwhile()
  while (performance.now() - from < WATCH_MS) {
    await sleep(5)
    const { sendRequests } = provider.state()
    if (sendRequests > seen) last = Math.round(performance.now() - from)
    seen = sendRequests
  }
  await done
  return last
}
