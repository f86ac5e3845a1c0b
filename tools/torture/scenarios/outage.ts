import { setTimeout as sleep } from 'node:timers/promises'
import { clearDirect } from '../../../simulator/src/direct/doubles.ts'
import { scriptConnections } from '../direct.ts'
import { readAudience } from '../people.ts'
import { DIRECT_PROVIDERS } from '../phones.ts'
import { toFinding, withEveryProvider, type Finding, type Scenario } from '../scenario.ts'
import { until } from '../../../server/test/support/until.ts'
import { drain, startCampaign, startService, type World } from '../world.ts'

// Four attempts take less than a second, and a lease 20. With this many users ten requests fail before one of them has
// failed four times.
const WORLD_OPTIONS = ({ users }: { users: number }) => ({
  users: Math.max(users, 1_500),
  settings: { PUSH_RATE_PER_SECOND: '20000', PUSH_CONCURRENCY: '1', PUSH_LEASE_SECONDS: '20' },
  provider: { latencyMs: 100 },
})
const AWAY_MS = 3_000

type Outage = {
  /** The names of those that are away. */
  providers: readonly string[]
  begin(world: World): Promise<void> | void
  end(world: World): Promise<void> | void
}

/** The provider refuses connections for longer than four attempts take. */
export const refusing: Scenario = {
  name: 'refusing',
  about: 'the provider refuses connections for longer than four attempts, then is back',
  worldOptions: WORLD_OPTIONS,
  run: (world) => runOutage(world, { providers: ['expo'], begin: world.provider.goAway, end: world.provider.comeBack }),
}

/** The provider answers 503 to everything for longer than four attempts take. */
export const failing: Scenario = {
  name: 'failing',
  about: 'the provider answers 503 for longer than four attempts, then is well',
  worldOptions: WORLD_OPTIONS,
  run: (world) =>
    runOutage(world, {
      providers: ['expo'],
      begin: ({ provider }) => provider.script([{ times: 0, status: 503 }]),
      end: ({ provider }) => provider.clearScript(),
    }),
}

const clear = ({ provider }: World) => clearDirect(provider.direct())
// A new connection of HTTP/2 waits up to a second for its turn.
const directOptions = ({ users }: { users: number }) => {
  const { settings, ...options } = WORLD_OPTIONS({ users })
  return { ...options, settings: { ...settings, PUSH_TIMEOUT_SECONDS: '5' } }
}

/** Three outages of Apple, Google and the browsers' service, while Expo's goes on. */
export const DIRECT_OUTAGES: Scenario[] = [
  {
    name: 'refusing-direct',
    about: 'Apple, Google and browsers refuse connections for longer than four attempts, then are back',
    begin: (world: World) =>
      scriptConnections(world, [
        { kind: 'no-tls', times: 0 },
        { kind: 'cut', by: 'reset', when: 'before', times: 0 },
      ]),
  },
  {
    name: 'failing-direct',
    about: 'Apple, Google and browsers answer 503 for longer than four attempts, then are well',
    begin: ({ provider }: World) => {
      const { apple, google, browsers } = provider.direct()
      // After the other reason of 503 a push waits for a quarter of an hour.
      apple.script([{ reason: 'Shutdown', times: 0 }])
      google.script([{ match: 'send', answer: 'UNAVAILABLE', times: 0 }])
      browsers.script([{ status: 503, times: 0 }])
    },
  },
  {
    name: 'swallowing-direct',
    about: 'connections to Apple, Google and browsers swallow all without an answer for a time, then are well',
    begin: (world: World) => scriptConnections(world, [{ kind: 'hole', when: 'before', times: 0 }]),
  },
].map(({ name, about, begin }) =>
  withEveryProvider({
    name,
    about,
    isForHandAlone: true,
    worldOptions: directOptions,
    run: (world) => runOutage(world, { providers: DIRECT_PROVIDERS, begin, end: clear }),
  }),
)

/** The breakers must open before any push runs out of attempts. */
async function runOutage(world: World, { providers, begin, end }: Outage): Promise<Finding> {
  const { web, token } = await startService(world, 2)
  const audience = await readAudience(world.pool)
  const messageIds = [await startCampaign(world, web, token)]
  await begin(world)
  const opened = new Set<string>()
  await until('the breakers opened', 15_000, async () => {
    for (const name of await listOpen(world)) opened.add(name)
    return providers.every((name) => opened.has(name))
  })
  await sleep(AWAY_MS)
  const { sendRequests: requests } = world.provider.state()
  await end(world)
  await drain(world, messageIds)
  await until('the breakers closed', 15_000, async () => (await listOpen(world)).length === 0)
  const finding = await toFinding(world, { messageIds, audience, duplicates: 'bounded' })
  const faults = Object.entries(finding.figures.ended).map(
    ([code, count]) => `${count} ended as ${code}, though it came back`,
  )
  return {
    ...finding,
    faults: [...finding.faults, ...faults],
    notes: [...finding.notes, ...(requests > 0 ? [`${requests} requests of Expo's until it was well`] : [])],
  }
}

async function listOpen({ pool }: World): Promise<string[]> {
  const { rows } = await pool.query<{ provider: string }>(
    `select provider from provider_state where breaker <> 'closed'`,
  )
  return rows.map(({ provider }) => provider)
}
