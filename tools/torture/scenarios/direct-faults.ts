import type { Http2Fault } from '../../../simulator/src/http2/faults.ts'
import type { Random } from '../../../server/test/support/random.ts'
import { countFaults, scriptConnections } from '../direct.ts'
import { readAudience } from '../people.ts'
import { DIRECT_PROVIDERS } from '../phones.ts'
import { readSent } from '../provider-counts.ts'
import { toFinding, withEveryProvider, type Finding, type Scenario } from '../scenario.ts'
import { drain, startCampaign, startService, type World } from '../world.ts'

type Row = Pick<Scenario, 'name' | 'about'> & {
  /** `pushes`: of each provider in a campaign. */
  script(random: Random, pushes: number): Http2Fault[]
  /** Each fault tells the clients of these providers that the push was not taken, or its answer still comes. */
  told?: readonly string[]
  /** Answers that are wrong, beside faults of connections. */
  answers?(world: World): void
}

const CAMPAIGNS = 3
// A small run has time for one.
const SMALL_KILLS = 5
const REQUESTS_A_GOAWAY = 1_000
// RFC 9113, section 7, without REFUSED_STREAM (7), which promises that the push was not taken.
const CODES = [0, 1, 2, 3, 5, 6, 8, 11, 12]
const WHEN = ['before', 'after'] as const
const RESETS = WHEN.flatMap((when) => CODES.map((code): Http2Fault => ({ kind: 'reset', code, when })))
const REFUSED: Http2Fault = { kind: 'reset', code: 7, when: 'before' }

const ROWS: Row[] = [
  {
    name: 'goaway',
    about: 'GOAWAY below, at and above a stream each 1,000 requests to Apple, Google and browsers: none is unknown',
    told: DIRECT_PROVIDERS,
    script: (_, pushes) => {
      const every = Math.min(REQUESTS_A_GOAWAY, Math.ceil(pushes / 2))
      return (['below', 'at', 'above'] as const).map((last) => ({ kind: 'goaway', last, every, times: 0 }))
    },
  },
  {
    name: 'stream-limits',
    about:
      'the streams that Apple, Google and browsers allow move between 1 and 1,000, some are refused: none is unknown',
    told: DIRECT_PROVIDERS,
    script: (random) =>
      sometimes(random, 0.01, [
        ...[1, 2, 20, 100, 1_000].map((streams): Http2Fault => ({ kind: 'limit', streams })),
        REFUSED,
      ]),
  },
  {
    name: 'resets',
    about: 'streams to Apple, Google and browsers are reset by each code, before and after the push was taken',
    script: (random) => sometimes(random, 0.005, [...RESETS, REFUSED]),
  },
  {
    name: 'answers-direct',
    about: 'resets, cuts, half bodies, silence, GOAWAY, limits, lost handshakes and wrong answers of each, mixed',
    script: (random) => [
      ...sometimes(random, 0.002, [...RESETS, REFUSED, ...listBreaks()]),
      ...sometimes(
        random,
        0.01,
        [5, 50, 1_000].map((streams) => ({ kind: 'limit', streams })),
      ),
      ...sometimes(random, 0.3, [{ kind: 'no-tls' }]),
    ],
    answers: answerWrongly,
  },
]

/** What HTTP/2 can do to pushes, while campaigns go to phones of each provider. */
export const DIRECT_FAULTS: Scenario[] = ROWS.map(({ name, about, ...row }) =>
  withEveryProvider({
    name,
    about,
    isForHandAlone: true,
    // No lease ends before its request, so that only the script makes outcomes unknown.
    worldOptions: () => ({
      settings: { PUSH_TIMEOUT_SECONDS: row.told ? '10' : '2', PUSH_LEASE_SECONDS: '20' },
      provider: { latencyMs: 30 },
    }),
    run: (world) => run(world, row),
  }),
)

async function run(world: World, row: Omit<Row, 'name' | 'about'>): Promise<Finding> {
  const { web, token } = await startService(world, 2)
  const audience = await readAudience(world.pool)
  scriptConnections(world, row.script(world.random, audience.devices / 4))
  row.answers?.(world)
  const messageIds: number[] = []
  const campaigns = world.plan.kills < SMALL_KILLS ? 1 : CAMPAIGNS
  for (let campaign = 0; campaign < campaigns; campaign++) messageIds.push(await startCampaign(world, web, token))
  await drain(world, messageIds)
  // A refusal may remove a device, so that a later campaign may notify fewer.
  const expected = row.answers ? {} : { audience }
  const finding = await toFinding(world, { messageIds, duplicates: 'bounded', ...expected })
  const met = countFaults(world)
  const unknown = (await readSent(world.pool, messageIds)).filter(
    ({ provider, again }) => again > 0 && row.told?.includes(provider),
  )
  return {
    ...finding,
    faults: [
      ...finding.faults,
      ...met.flatMap(({ name, faults }) => (faults === 0 ? [`the script met no request of ${name}`] : [])),
      ...met.flatMap(({ name, liedAbout }) => (liedAbout > 0 ? [`${name} disowned ${liedAbout} that it took`] : [])),
      ...unknown.map(({ provider, again }) => `${again} outcomes of ${provider} were unknown`),
    ],
    notes: [...finding.notes, `faults: ${met.map(({ name, faults }) => `${name} ${faults}`).join(', ')}`],
  }
}

function listBreaks(): Http2Fault[] {
  return [
    ...WHEN.flatMap((when): Http2Fault[] => [
      { kind: 'cut', by: 'reset', when },
      { kind: 'cut', by: 'end', when },
      { kind: 'silent', when },
    ]),
    { kind: 'half' },
    { kind: 'half', stays: true },
    { kind: 'slow', ms: 500 },
    ...[0, 2, 11].flatMap((code) =>
      (['below', 'at', 'above'] as const).map((last): Http2Fault => ({ kind: 'goaway', last, code })),
    ),
  ]
}

/** Pushes that were taken all the same, and others; answers after which a push waits for minutes are left out. */
function answerWrongly({ provider, random }: World): void {
  const { apple, google, browsers } = provider.direct()
  const share = () => ({ times: 0, probability: 0.01, seed: random.between(1, 1e9) })
  apple.script([
    { ...share(), reason: 'InternalServerError' },
    { ...share(), reason: 'InternalServerError', accept: true },
    { ...share(), reason: 'TooManyRequests' },
    { ...share(), reason: 'Shutdown' },
    { ...share(), reason: 'IdleTimeout' },
    { ...share(), reason: 'Unregistered', since: Date.now() },
  ])
  google.script([
    { ...share(), match: 'send', answer: 'INTERNAL' },
    { ...share(), match: 'send', answer: 'UNSPECIFIED_ERROR', accept: true },
    { ...share(), match: 'send', answer: { status: 502, body: '<html>' } },
    { ...share(), match: 'send', answer: 'UNREGISTERED' },
  ])
  browsers.script([
    { ...share(), status: 500 },
    { ...share(), status: 502, accept: true },
    { ...share(), status: 408 },
    { ...share(), status: 410 },
  ])
}

/** Each meets this share of the requests that the ones before it left. */
function sometimes(random: Random, probability: number, faults: Http2Fault[]): Http2Fault[] {
  return faults.map((fault) => ({ ...fault, times: 0, probability, seed: random.between(1, 1e9) }))
}
