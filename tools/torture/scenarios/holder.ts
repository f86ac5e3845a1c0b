import { holdAt } from '../holds.ts'
import { readAudience } from '../people.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { sendToAll } from '../api.ts'
import { until } from '../../../server/test/support/until.ts'
import { drain, startService, type World } from '../world.ts'

const OTHERS_GO_ON_WITHIN_MS = 10_000

/** A worker is frozen within a transaction that holds the row of pace and breaker, which all need. */
export const holder: Scenario = {
  name: 'holder',
  about: 'SIGSTOP of a worker that holds the shared row of pace and breaker: the others go on within 10 s',
  worldOptions: () => ({ settings: { PUSH_RATE_PER_SECOND: '2000', PUSH_LEASE_SECONDS: '20' } }),
  run,
}

async function run(world: World): Promise<Finding> {
  const { web, token, workers } = await startService(world, 1)
  const audience = await readAudience(world.pool)
  const hold = await holdAt(world, 'the breaker’s report, written and not committed')
  world.provider.script([{ match: 'send', status: 503 }])
  const messageIds = [await sendToAll(web.url, token)]
  await hold.reached()
  workers[0]?.freeze()
  await hold.release()
  const from = performance.now()
  const accepted = world.provider.accepted().length
  messageIds.push(await sendToAll(web.url, token))
  await world.startWorker()
  await until('another worker sent', 60_000, () => world.provider.accepted().length > accepted)
  const stoodMs = Math.round(performance.now() - from)
  workers[0]?.thaw()
  await drain(world, messageIds)
  const faults = stoodMs > OTHERS_GO_ON_WITHIN_MS ? [`the others stood for ${stoodMs} ms`] : []
  const notes = [`another worker sent ${stoodMs} ms after the holder was frozen, its own start included`]
  return toFinding(world, { messageIds, audience, duplicates: 'bounded' }, { faults, notes })
}
