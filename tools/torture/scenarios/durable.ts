import { randomUUID } from 'node:crypto'
import { sendToAll } from '../api.ts'
import { readAudience } from '../people.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { drain, startService, type World } from '../world.ts'

/** The API process is killed just after it answered: what it answered must be stored. */
export const durable: Scenario = {
  name: 'durable',
  about: 'kill -9 of the API right after it took a campaign',
  worldOptions: () => ({ settings: { PUSH_TIMEOUT_SECONDS: '5', PUSH_LEASE_SECONDS: '20' } }),
  run,
}

async function run(world: World): Promise<Finding> {
  const service = await startService(world, 1)
  const { token } = service
  let { web } = service
  const audience = await readAudience(world.pool)
  const messageIds: number[] = []
  const faults: string[] = []
  const rounds = Math.max(2, Math.round(world.plan.kills / 2))
  for (let round = 0; round < rounds; round++) {
    const headers = { 'idempotency-key': randomUUID() }
    const messageId = await sendToAll(web.url, token, headers)
    await web.kill()
    messageIds.push(messageId)
    web = await world.startWeb()
    const repeated = await sendToAll(web.url, token, headers)
    if (repeated !== messageId) faults.push(`the same call again started campaign ${repeated} beside ${messageId}`)
  }
  await drain(world, messageIds)
  const notes = [`${messageIds.length} campaigns answered, each followed by a kill`]
  return toFinding(world, { messageIds, audience, duplicates: 'none' }, { faults, notes })
}
