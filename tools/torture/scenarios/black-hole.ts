import { setTimeout as sleep } from 'node:timers/promises'
import { scriptConnections } from '../direct.ts'
import { readAudience } from '../people.ts'
import { DIRECT_PROVIDERS } from '../phones.ts'
import { toFinding, withEveryProvider, type Finding, type Scenario } from '../scenario.ts'
import { drain, startCampaign, startService, type World } from '../world.ts'

const FOUND_WITHIN_S = 10
// The processes of the service and the doubles share the time of this machine.
const BUSY_S = 1
const ROUNDS = 3

/**
 * A firewall forgets connections in mid-campaign: nothing more is read, answered or ended. The settings are the
 * defaults.
 */
export const blackHole: Scenario = withEveryProvider({
  name: 'black-hole',
  about:
    'connections to Apple, Google and browsers swallow all in mid-campaign: found within 10 s, their pushes unknown',
  isForHandAlone: true,
  worldOptions: ({ users }) => ({
    settings: {
      PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 4), 100)),
      PUSH_TIMEOUT_SECONDS: '10',
      PUSH_LEASE_SECONDS: '60',
    },
    provider: { latencyMs: 200 },
  }),
  run,
})

async function run(world: World): Promise<Finding> {
  const { web, token } = await startService(world, 2)
  const audience = await readAudience(world.pool)
  const messageIds: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    messageIds.push(await startCampaign(world, web, token))
    await sleep(world.random.between(200, 1_500))
    scriptConnections(world, [{ kind: 'hole', when: world.random.pick(['before', 'after']) }])
    await drain(world, messageIds)
  }
  const finding = await toFinding(world, { messageIds, audience, duplicates: 'bounded' })
  const found = await readUnknown(world)
  const silent = DIRECT_PROVIDERS.filter((name) => !found.some(({ provider }) => provider === name))
  const late = found.filter(({ seconds }) => seconds > FOUND_WITHIN_S + BUSY_S)
  return {
    ...finding,
    faults: [
      ...finding.faults,
      ...silent.map((name) => `no push to ${name} became unknown`),
      ...late.map(({ provider, seconds }) => `${provider}: found after ${seconds} s`),
      ...Object.entries(finding.figures.ended).map(([code, count]) => `${count} ended as ${code}`),
    ],
    notes: [
      ...finding.notes,
      ...found.map(
        ({ provider, seconds, pushes }) => `${provider}: ${pushes} unknown, found after ${seconds} s at most`,
      ),
    ],
  }
}

type Found = { provider: string; seconds: number; pushes: number }

/**
 * Gives, of providers whose pushes became unknown, the longest request, from its claim, and the pushes that went again.
 */
async function readUnknown({ pool }: World): Promise<Found[]> {
  const { rows } = await pool.query<Found>(
    `select provider, round(max(extract(epoch from settled_at - started_at)), 1)::float8 as seconds,
       max(pushes) as pushes
     from requests join (
       select provider, sum(possible_duplicates)::int as pushes from notifications group by provider) n using (provider)
     where provider <> 'expo' group by provider`,
  )
  return rows.filter(({ pushes }) => pushes > 0)
}
