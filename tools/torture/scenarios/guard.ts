import { countRemoved, resume, untilHalted } from '../halt.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { drain, startCampaign, startService, type World } from '../world.ts'

/**
 * The provider suddenly reports most phones as gone: none may be removed, and sending halts until an administrator
 * resumes it.
 */
export const guard: Scenario = {
  name: 'guard',
  about: 'most phones are called gone at once: none is removed, sending halts, and goes on after the resume',
  // The guard looks at the last 1,000 results.
  worldOptions: () => ({
    users: 1_500,
    settings: {
      PUSH_RATE_PER_SECOND: '20000',
      PUSH_CONCURRENCY: '2',
      PUSH_TIMEOUT_SECONDS: '5',
      PUSH_LEASE_SECONDS: '20',
    },
    provider: { latencyMs: 100 },
  }),
  run,
}

async function run(world: World): Promise<Finding> {
  const { pool, provider } = world
  const { web, token } = await startService(world, 2)
  const { rows } = await pool.query<{ token: string }>('select token from mobile_devices where user_id % 5 <> 0')
  for (const phone of rows) provider.setToken(phone.token, { ticketError: 'DeviceNotRegistered' })
  const messageIds = [await startCampaign(world, web, token)]
  await untilHalted(world)
  const removed = await countRemoved(world)
  for (const phone of rows) provider.setToken(phone.token, { receipt: 'ok' })
  await resume(web.url, token)
  await drain(world, messageIds)
  const faults = [removed, await countRemoved(world)].flatMap((phones, index) =>
    phones === 0 ? [] : [`${phones} phones were removed ${index === 0 ? 'at the halt' : 'in the end'}`],
  )
  const notes = [`${rows.length} phones were called gone by mistake; ${removed} were removed`]
  return toFinding(world, { messageIds, duplicates: 'none' }, { faults, notes })
}
