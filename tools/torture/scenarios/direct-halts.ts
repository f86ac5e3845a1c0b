import { clearDirect, setDirectMode } from '../../../simulator/src/direct/doubles.ts'
import { until } from '../../../server/test/support/until.ts'
import { countRemoved, resume, untilProvidersHalted } from '../halt.ts'
import { readAudience } from '../people.ts'
import { DIRECT_PROVIDERS } from '../phones.ts'
import { toFinding, withEveryProvider, type Finding, type Scenario } from '../scenario.ts'
import { drain, startCampaign, startService, type World } from '../world.ts'

/**
 * `halted`: the providers that must halt; all others go on, and `perhaps` may. `because`: what the reason of one that
 * must halt says.
 */
type Row = {
  what: string
  halted: readonly string[]
  perhaps?: readonly string[]
  because: RegExp
  begin(world: World): void
  end(world: World): void
}

const MINUTES_OFF = 61
const [APPLE, GOOGLE] = DIRECT_PROVIDERS as [string, string]

const REVOKED: Row[] = [
  {
    what: 'the keys are refused',
    halted: DIRECT_PROVIDERS,
    because: /revoked/,
    begin: ({ provider }) => setDirectMode(provider.direct(), 'refuses-credentials', Date.now()),
    end: ({ provider }) => clearDirect(provider.direct()),
  },
]

const CLOCKS: Row[] = [
  {
    what: 'their clocks are 61 min ahead',
    halted: [APPLE, GOOGLE],
    because: /clock/,
    begin: (world) => moveClocks(world, MINUTES_OFF),
    end: (world) => moveClocks(world, -MINUTES_OFF),
  },
  {
    what: 'their clocks are 61 min behind',
    halted: [APPLE],
    // It minds when it gives an access token, and a worker that sent little to it may have none yet.
    perhaps: [GOOGLE],
    because: /clock/,
    begin: (world) => moveClocks(world, -MINUTES_OFF),
    end: (world) => moveClocks(world, MINUTES_OFF),
  },
]

/** Faults of the configuration in mid-campaign: each halts its provider, and nobody is lost once it is corrected. */
export const DIRECT_HALTS: Scenario[] = [
  {
    name: 'credentials-direct',
    about: 'Apple, Google and browsers refuse our keys in mid-campaign: each halts, Expo goes on; the resume sends all',
    rows: REVOKED,
  },
  {
    name: 'clocks-direct',
    about:
      'the clocks of Apple, Google and browsers move by an hour: who minds halts and names the clock, then all is sent',
    rows: CLOCKS,
  },
].map(({ name, about, rows }) =>
  withEveryProvider({
    name,
    about,
    isForHandAlone: true,
    worldOptions: ({ users }) => ({
      settings: {
        PUSH_RATE_PER_SECOND: String(Math.max(Math.ceil(users / 4), 100)),
        PUSH_TIMEOUT_SECONDS: '5',
        PUSH_LEASE_SECONDS: '20',
      },
      provider: { latencyMs: 150 },
    }),
    run: (world) => run(world, rows),
  }),
)

async function run(world: World, rows: Row[]): Promise<Finding> {
  const { web, token } = await startService(world, 2)
  const audience = await readAudience(world.pool)
  const messageIds: number[] = []
  const faults: string[] = []
  const notes: string[] = []
  for (const { what, halted, perhaps = [], because, begin, end } of rows) {
    messageIds.push(await startCampaign(world, web, token))
    begin(world)
    const reasons = await untilProvidersHalted(world, halted)
    if (!reasons.some((reason) => because.test(reason))) faults.push(`no reason is ${String(because)}`)
    notes.push(`${what}: ${reasons.join(' | ')}`)
    await until('the others had sent all', 60_000, async () => (await countOpen(world, [...halted, ...perhaps])) === 0)
    end(world)
    await resume(web.url, token)
    await drain(world, messageIds)
  }
  const finding = await toFinding(world, { messageIds, audience, duplicates: 'none' }, { faults, notes })
  const removed = await countRemoved(world)
  const more = [
    ...Object.entries(finding.figures.ended).map(([code, count]) => `${count} ended as ${code}`),
    ...(removed === 0 ? [] : [`${removed} phones were removed`]),
  ]
  return { ...finding, faults: [...finding.faults, ...more] }
}

/** Google's has a clock of its own. */
function moveClocks({ provider }: World, minutes: number): void {
  provider.advance(minutes * 60_000)
  provider.direct().google.advance(minutes * 60_000)
}

/** Copies that are not settled, of other providers than these. */
async function countOpen({ pool }: World, providers: readonly string[]): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from notifications where not is_send and settled_at is null and provider <> all($1)`,
    [providers],
  )
  return rows[0]?.n ?? 0
}
