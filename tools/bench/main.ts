import { measureAdmin } from './admin.ts'
import { bareScript, officialBulk, officialLoop, type Baseline } from './baselines.ts'
import { measureBrowse } from './browse.ts'
import { measureCampaign } from './campaign.ts'
import { measureChat } from './chat.ts'
import { measureCost } from './cost.ts'
import { benchDivided } from './divided-command.ts'
import { benchEngine } from './engine-command.ts'
import { measureEvents, type EventFigures } from './events.ts'
import { measureIdle } from './idle.ts'
import { measureInbox } from './inbox.ts'
import { measureLists } from './lists.ts'
import { measurePace } from './pace.ts'
import { benchProviders } from './providers/command.ts'
import { countUsers, fillInboxes, insertPeople } from './people.ts'
import { measureReceipts } from './receipts.ts'
import { measureInboxDuringCampaign, measureRequests } from './requests.ts'
import { startBench, type Bench } from './setup.ts'
import { measureStreams } from './streams.ts'
import { measureTracking } from './tracking.ts'

// `npm run bench` measures these parts, `npm run bench -- campaign pace` some of them, and those of ALONE by name. For
// `lists` and `admin`, `--database postgres://…` names one that `manage generate-load` filled.
// prettier-ignore
const PARTS = {
  cost: measureCost, campaign, receipts, pace, events, idle, requests, inbox, chat, activity, lists, million, admin, browse, streams,
}
const words = process.argv.slice(2)
const devices = readNumber('--devices') ?? 100_000
const database = words.includes('--database') ? words[words.indexOf('--database') + 1] : undefined
const chosen = Object.entries(PARTS).filter(([name]) => words.includes(name))
const ALONE = { engine: benchEngine, divided: benchDivided, providers: benchProviders }
const [chosenAlone] = Object.entries(ALONE).flatMap(([name, bench]) => (words.includes(name) ? [bench] : []))
await (chosenAlone?.(words, say) ?? measureParts())

async function measureParts(): Promise<void> {
  for (const [name, measure] of chosen.length > 0 ? chosen : Object.entries(PARTS)) {
    const bench = await startBench(database)
    try {
      say(`\n${name}\n  ${bench.server}; our connections switch JIT off`)
      await measure(bench)
    } finally {
      await bench.close()
    }
  }
}

/** One campaign to everyone, against ways to do the same without queue, ledger or safety. */
async function campaign(bench: Bench): Promise<void> {
  await insertPeople(bench.pool, devices)
  await compareCampaign(bench, 0, 6)
  await compareCampaign(bench, 50, 64)
}

async function compareCampaign(bench: Bench, latencyMs: number, inFlight: number): Promise<void> {
  const baselines: [string, Baseline, number][] = [
    ['bare script', bareScript, inFlight],
    ['official client, README loop', officialLoop, 6],
    ['official client, bulk, 32 in flight', officialBulk, 32],
  ]
  say(`  provider takes ${latencyMs} ms, ${inFlight} requests in flight, ${devices} devices`)
  const ours = await measureCampaign(bench, { latencyMs, settings: { PUSH_CONCURRENCY: String(inFlight) } })
  row('request to last ticket', `${ours.perSecond}/s`, `worker ${ours.workerMegabytes} MB`)
  for (const [what, measure, atOnce] of baselines) {
    const simulator = await bench.simulator({ latencyMs })
    const perSecond = await measure(bench.pool, simulator.url, atOnce)
    await simulator.stop()
    row(what, `${perSecond}/s`, `ours is ${(ours.perSecond / perSecond).toFixed(2)} ×`)
  }
}

async function receipts(bench: Bench): Promise<void> {
  await insertPeople(bench.pool, devices)
  const { receipts: stored, seconds } = await measureReceipts(bench)
  row(`${stored} receipts`, `${seconds.toFixed(1)} s`, `${Math.round(stored / seconds)}/s`)
}

async function pace(bench: Bench): Promise<void> {
  await insertPeople(bench.pool, 30_000)
  const figures = await measurePace(bench)
  row('three workers at 600/s', `${(figures.share * 100).toFixed(1)} %`, `${figures.refusals} times 429`)
  row('transactional meanwhile, p95', `${figures.transactionalP95Ms} ms`, `${figures.transactional} pushes`)
}

async function events(bench: Bench): Promise<void> {
  await insertPeople(bench.pool, 30_000)
  const { idle: alone, during, unpaced } = await measureEvents(bench)
  eventRow('event to accepted, nothing else', alone)
  eventRow('event to accepted, campaign at 600/s', during)
  eventRow(`event to accepted, campaigns at ${unpaced.pushes}/s`, unpaced)
}

function eventRow(what: string, { events: n, p50, p95, slowest }: EventFigures): void {
  row(`${what}, p95`, `${p95} ms`, `median ${p50}, slowest ${slowest}, ${n} events`)
}

/** Transactions of idle workers, and how soon they begin new work. */
async function idle(bench: Bench): Promise<void> {
  await insertPeople(bench.pool, 1_000)
  for (const { workers, perSecond, firstPushMs, slowestMs } of await measureIdle(bench, [1, 2, 4])) {
    row(`${workers} idle workers, transactions`, `${perSecond.toFixed(1)}/s`, '')
    row('first push after that minute', `${firstPushMs} ms`, `the slowest of ten more, 3 s apart: ${slowestMs} ms`)
  }
}

async function requests(bench: Bench): Promise<void> {
  await insertPeople(bench.pool, 50_000)
  await fillInboxes(bench.pool, 20)
  // First, because the registrations leave people with many phones each.
  const during = await measureInboxDuringCampaign(bench)
  const figures = await measureRequests(bench)
  row(
    'GET /api/notification',
    `${figures.inbox}/s`,
    `${((100 * figures.inbox) / figures.bareInbox).toFixed(0)} % of bare`,
  )
  row('bare handler, same query', `${figures.bareInbox}/s`, '')
  row('GET /api/notification at 1,000/s, p99', `${figures.inboxP99At1000} ms`, '')
  row('POST /api/user/save-phone-token, known phones', `${figures.knownTokens}/s`, '')
  row('the same, each with a phone nobody had', `${figures.newTokens}/s`, '')
  row('GET /api/notification at 1,000/s, p99', `${during.p99} ms`, `while a campaign sends ${during.pace}/s`)
}

/** Three hundred campaigns are kept. */
async function inbox(bench: Bench): Promise<void> {
  await insertPeople(bench.pool, Math.round(devices / 3))
  await fillInboxes(bench.pool, 300, { someAreOpened: true })
  for (const { what, p50, p95 } of await measureInbox(bench)) row(`${what}, p95`, `${p95} ms`, `median ${p50}`)
}

/** People in swaps who write to each other, with the pushes about their lines. */
async function chat(bench: Bench): Promise<void> {
  await insertPeople(bench.pool, 2_000)
  const { most, bare, ratio, microseconds, paced } = await measureChat(bench, 500)
  row(`messages at 500/s, p50 and p99`, `${paced.p50}, ${paced.p99} ms`, `${paced.pushes} pushes/s meanwhile`)
  row('batches that wait, before and after', `${paced.waitingBefore}, ${paced.waitingAfter}`, '')
  row('messages, as many as one API takes', `${most}/s`, `${ratio.toFixed(2)} × bare`)
  row(
    'bare inserts of the same rows',
    `${bare}/s`,
    `the API takes ${microseconds} µs of processor time for each of its own`,
  )
}

/** Open streams of badges on one API process, and how soon a change reaches them. */
async function streams(bench: Bench): Promise<void> {
  await insertPeople(bench.pool, 10_000)
  await fillInboxes(bench.pool, 20)
  const figures = await measureStreams(bench, readNumber('--streams') ?? 5_000)
  row('streams open', `${figures.streams}`, `opened ${figures.openedPerSecond}/s`)
  row('API process', `${figures.megabytes} MB`, `peak ${figures.peakMegabytes} MB; wanted 400 MB`)
  row(
    'a change reaches its stream, p95',
    `${figures.p95} ms`,
    `wanted 300 ms; median ${figures.p50}, slowest ${figures.slowest}`,
  )
  row('changes that did not arrive in 10 s', `${figures.missed}`, '')
}

/** The cost of noting active days, for each request. */
async function activity(bench: Bench): Promise<void> {
  await insertPeople(bench.pool, 50_000)
  const { noted, unnoted, costs } = await measureTracking(bench)
  row(
    'signed-in requests, activity noted',
    `${noted.perSecond}/s`,
    `${noted.microseconds.toFixed(0)} µs of the API each`,
  )
  row('the same, not noted', `${unnoted.perSecond}/s`, `${unnoted.microseconds.toFixed(0)} µs of the API each`)
  row('noting costs', percent(costs.perSecond), `${percent(costs.microseconds)} of the time of the API`)
}

/** Lists of users by the page, by text and one by one, against plain SQL on the same database. */
async function lists(bench: Bench): Promise<void> {
  const isFilled = database !== undefined
  const users = isFilled ? await countUsers(bench.pool) : (readNumber('--users') ?? 100_000)
  if (!isFilled) await insertPeople(bench.pool, users)
  for (const { what, wanted, perSecond, plainPerSecond } of await measureLists(bench, { users, isFilled })) {
    const ratio = (perSecond / plainPerSecond).toFixed(2)
    row(what, `${perSecond}/s`, `${wanted && `wanted ${wanted}; `}plain SQL ${plainPerSecond}/s, ours is ${ratio} ×`)
  }
}

/** The administration API on a marketplace of a million users, against plain SQL for the same answers. */
async function admin(bench: Bench): Promise<void> {
  const load =
    database === undefined
      ? { users: readNumber('--users') ?? 1_000_000, activity: readNumber('--activity') ?? 10_000_000 }
      : { users: await countUsers(bench.pool) }
  const { filled, timed, profile, exported } = await measureAdmin(bench, load)
  say(`  ${filled}`)
  for (const { what, wanted, p95, plainP95, worst } of timed)
    row(`${what}, p95`, `${p95} ms`, `wanted ${wanted}; plain SQL ${plainP95} ms; slowest ${worst}`)
  row(
    'user-profile',
    `${profile.ours}/s`,
    `${((100 * profile.ours) / profile.bare).toFixed(0)} % of bare ${profile.bare}/s`,
  )
  row(
    `users-export, ${exported.rows} rows of CSV`,
    `${exported.seconds.toFixed(1)} s`,
    `${percent(exported.copySeconds / exported.seconds)} of the speed of COPY; grew ${exported.grewMegabytes} MB`,
  )
  row('user-profile meanwhile, p99', `${exported.apiP99} ms`, 'wanted 100 ms')
}

/** The app's calls on a market of a million products, against plain SQL for the same answers. */
async function browse(bench: Bench): Promise<void> {
  const market = { products: readNumber('--products') ?? 1_000_000, users: readNumber('--users') ?? 100_000 }
  const { timed, likes } = await measureBrowse(bench, market)
  for (const { what, wanted, p95, plainP95, worst } of timed) {
    const ratio = (plainP95 / p95).toFixed(2)
    row(`${what}, p95`, `${p95} ms`, `wanted ${wanted}; plain SQL ${plainP95} ms, ${ratio} ×; slowest ${worst}`)
  }
  row('likes of one product by 32 callers', `${likes.hot}/s`, `of many products ${likes.many}/s`)
}

function readNumber(option: string): number | undefined {
  return Number(words[words.indexOf(option) + 1] ?? Number.NaN) || undefined
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

/** The cost of a notification at a million devices and at ten thousand, and the worker's memory. */
async function million(bench: Bench): Promise<void> {
  await insertPeople(bench.pool, 10_000)
  const small = await measureCampaign(bench, { latencyMs: 0, settings: {} })
  await bench.pool.query(
    'truncate users, messages, batches, work, requests, entries, bulk_entries, reactions, message_counts cascade',
  )
  await insertPeople(bench.pool, 1_000_000)
  const large = await measureCampaign(bench, { latencyMs: 0, settings: {} })
  row('10,000 devices', `${small.perSecond}/s`, '')
  row(
    '1,000,000 devices',
    `${large.perSecond}/s`,
    `cost ${(small.perSecond / large.perSecond).toFixed(2)} ×, worker ${large.workerMegabytes} MB`,
  )
  row('send-notification-all answers in', `${large.answeredMs} ms`, '')
}

function row(what: string, figure: string, remark: string): void {
  say(`    ${what.padEnd(42)} ${figure.padStart(12)}   ${remark}`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
