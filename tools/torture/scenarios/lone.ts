import { setTimeout as sleep } from 'node:timers/promises'
import { MESSAGE, sendToNamed } from '../api.ts'
import { eligibleUsers } from '../people.ts'
import { toFinding, type Finding, type Scenario } from '../scenario.ts'
import { drain, startService, type World } from '../world.ts'

const AWAY_MS = 8_000

/** Too few pushes for ten failures: a refused connection must not use up their attempts. */
export const lone: Scenario = {
  name: 'lone',
  about: 'two lone pushes while the provider refuses connections for longer than four attempts',
  worldOptions: () => ({ settings: { PUSH_TIMEOUT_SECONDS: '5', PUSH_LEASE_SECONDS: '20' } }),
  run,
}

async function run(world: World): Promise<Finding> {
  const { web, token } = await startService(world, 1)
  const [first = 0, second = 0] = world.random.some(await eligibleUsers(world.pool), 2)
  await world.provider.goAway()
  const messageIds = [
    await sendToNamed(web.url, token, { ...MESSAGE, user_ids: [first], promotional: true }),
    await sendToNamed(web.url, token, { ...MESSAGE, user_ids: [second], promotional: false }),
  ]
  await sleep(AWAY_MS)
  const { rows } = await world.pool.query<{ tried: number; used: number }>(
    `select (select max(attempts)::int from notifications) as tried,
       (select sum(get_byte(facts, 5 * cardinality(device_ids) + n - 1))::int from batches, generate_series(1, cardinality(device_ids)) n
         where get_byte(facts, 2 * cardinality(device_ids) + n - 1) <> 1) as used`,
  )
  await world.provider.comeBack()
  await drain(world, messageIds)
  const finding = await toFinding(world, { messageIds, duplicates: 'none' })
  const faults = [
    ...Object.entries(finding.figures.ended).map(([code, count]) => `${count} ended as ${code}`),
    ...(rows[0]?.used === 0 ? [] : [`${rows[0]?.used} attempts were used up`]),
  ]
  const notes = [`${rows[0]?.tried} connections were tried for one push in ${AWAY_MS / 1_000} s`]
  return { ...finding, faults: [...finding.faults, ...faults], notes }
}
