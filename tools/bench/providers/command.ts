import { startDouble, startSender } from './part.ts'
import { installPeers } from './peers.ts'
import { measureReasons } from './reasons.ts'
import { measureService } from './service.ts'
import { FAULTS, isBad, KINDS, TOLD, type Fault, type Kind, type Target, type Outcome } from './target.ts'

const HELP = `npm run bench -- providers   Apple, Google and browsers: peers, ours alone, ours with the whole service
  --pushes 100000     how many with a peer that takes 0 ms and 50 ms; a tenth with those that send one after the other
  --faults 10000      how many with each fault, at 50 ms
  --with goaway,bad   some of the faults: none, goaway, bad, 503, 500, hole, wrong
  --only clean,faults,reasons,service   some of the parts; reasons: every fault of ours, with the whole service
  --kinds apns,fcm,web          some of the providers
  --senders ours,node-apn       some of the senders`

/** web-push speaks no HTTP/2, so that its double does not, and has no faults of connections. */
const HTTP1 = 'web-push'
const SENDERS: Record<Kind, string[]> = {
  apns: ['ours', 'node-apn', 'apns2'],
  fcm: ['ours', 'firebase-admin'],
  web: ['ours', HTTP1],
}
/** They hold so few pushes at a time that they get a tenth of them where an answer takes 50 ms. */
const SLOW = new Set(['apns2', HTTP1])
const OF_CONNECTIONS = new Set<Fault>(['goaway', 'hole'])
const FAULT_NAMES: Record<Fault, string> = {
  none: 'no fault, new connections',
  goaway: 'GOAWAY each 1,000',
  bad: '5 % bad tokens',
  '503': '503 of each 100th',
  '500': '500 of each 100th, taken',
  hole: 'black hole at half',
  wrong: 'wrong app or key of ours',
}
const STALLED_MS = 120_000
const LATENCY_MS = 50
const WARM = 3_000

type Say = (line: string) => void
type Wish = { kind: Kind; name: string; pushes: number; latencyMs: number; fault?: Fault }
type Figures = Awaited<ReturnType<typeof measure>>

export async function benchProviders(words: string[], say: Say): Promise<void> {
  const option = (name: string) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined)
  if (words.includes('--help')) return say(HELP)
  const pushes = Number(option('--pushes') ?? 100_000)
  const faults = Number(option('--faults') ?? Math.min(pushes, 10_000))
  const only = option('--only')?.split(',') ?? ['clean', 'faults', 'reasons', 'service']
  const kinds = KINDS.filter((kind) => option('--kinds')?.split(',').includes(kind) ?? true)
  const faultKinds = FAULTS.filter((fault) => option('--with')?.split(',').includes(fault) ?? true)
  const mayBe = (name: string) => option('--senders')?.split(',').includes(name) ?? true
  installPeers(say)
  for (const kind of kinds) {
    const names = SENDERS[kind].filter(mayBe)
    if (only.includes('clean')) await measureClean(kind, names, pushes, say)
    if (only.includes('faults')) await measureFaults({ kind, names, faults: faultKinds }, faults, say)
    if (only.includes('reasons')) await measureReasons(kind, faults, say)
    if (only.includes('service')) for (const ms of [0, LATENCY_MS]) await measureService(kind, pushes, ms, say)
  }
}

async function measureClean(kind: Kind, names: string[], pushes: number, say: Say): Promise<void> {
  for (const latencyMs of [0, LATENCY_MS]) {
    say(`\n${kind}, ${latencyMs} ms`)
    for (const name of names) {
      const count = SLOW.has(name) && latencyMs > 0 ? Math.ceil(pushes / 10) : pushes
      const figures = await attempt({ kind, name, pushes: count, latencyMs }, say)
      if (figures) say(`  ${name.padEnd(15)} ${describeRate(figures, count)}`)
    }
  }
}

type Faulty = { kind: Kind; names: string[]; faults: Fault[] }

async function measureFaults({ kind, names, faults }: Faulty, pushes: number, say: Say): Promise<void> {
  for (const fault of faults) {
    say(`\n${kind}, ${LATENCY_MS} ms, ${FAULT_NAMES[fault]}, ${pushes} pushes`)
    for (const name of names) {
      if (name === HTTP1 && OF_CONNECTIONS.has(fault)) continue
      const figures = await attempt({ kind, name, pushes, latencyMs: LATENCY_MS, fault }, say)
      if (figures) say(`  ${name.padEnd(15)} ${describeFaults(figures)}`)
    }
  }
}

async function attempt(wish: Wish, say: Say): Promise<Figures | undefined> {
  try {
    return await measure(wish)
  } catch (error) {
    say(`  ${wish.name.padEnd(15)} ${(error as Error).message}`)
    return undefined
  }
}

/** One sender against one double, each in a process of its own. */
async function measure({ name, ...wish }: Wish) {
  const { fault, ...rest } = wish
  const warm = fault === undefined ? WARM : 0
  const double = await startDouble({ ...rest, fault, warm, http: name === HTTP1 ? 1 : 2 })
  const sender = await startSender()
  try {
    const { told, ...sent } = await sender.run({ name, target: double.target, stalledMs: STALLED_MS })
    const { taken, ...report } = await double.report()
    return { ...sent, ...report, ...compare(double.target, told, taken) }
  } finally {
    await sender.stop()
    await double.stop()
  }
}

/** What the sender was told beside what the double took, without pushes to bad tokens. */
function compare(target: Target, told: Uint8Array, taken: Uint8Array) {
  const counts = {
    good: 0,
    ok: 0,
    lost: 0,
    doubled: 0,
    wronglyFailed: 0,
    wronglyDeleted: 0,
    unknown: 0,
    unknownTaken: 0,
    again: 0,
    lied: 0,
  }
  for (let push = 0; push < target.pushes; push++) {
    if (isBad(target, push)) continue
    const [said, times] = [TOLD[told[push]!] as Outcome, taken[push]!]
    counts.good += times
    if (said === 'ok') counts.ok++
    if (said === 'ok' && times === 0) counts.lied++
    if (said === 'unknown') counts.unknown++
    if (said === 'unknown' && times > 0) counts.unknownTaken++
    if (said === 'again') counts.again++
    if (said === 'gone') counts.wronglyDeleted++
    if (times === 0 && said !== 'again' && said !== 'unknown') counts.lost++
    if (times > 1) counts.doubled++
    if (times > 0 && (said === 'failed' || said === 'gone' || said === 'nothing' || said === 'again'))
      counts.wronglyFailed++
  }
  return counts
}

function describeRate({ seconds, cpu, megabytes, connections, ok, hasStalled }: Figures, pushes: number): string {
  const rate = `${Math.round(ok / seconds)}/s`.padStart(9)
  const each = `${Math.round((cpu / pushes) * 1e6)} µs`.padStart(7)
  const rest = `${megabytes} MB, ${connections} handshakes, ${ok} of ${pushes} ok`
  return `${rate} ${each} a push, ${rest}${hasStalled ? ', a call did not settle' : ''}`
}

function describeFaults(figures: Figures): string {
  const { ok, lost, doubled, wronglyFailed, wronglyDeleted, unknown, again, lied } = figures
  const wrongly = `wrongly failed ${wronglyFailed}, wrongly deleted ${wronglyDeleted}`
  const counts = `lost ${lost}, doubled ${doubled}, ${wrongly}`
  const unknowns = `unknown ${unknown} (${figures.unknownTaken} taken)`
  const outcomes = `ok ${ok} (${lied} untrue), ${unknowns}, given back ${figures.givenBack} and again ${again}`
  const goodAt = Math.round((figures.good * 1_000) / Math.max(1, figures.lastAt - figures.firstAt))
  const rested = `longest rest ${(figures.restedMs / 1_000).toFixed(1)} s`
  const time = `${rested} of ${figures.seconds.toFixed(1)} s, good ones at ${goodAt}/s`
  const stalled = figures.hasStalled ? `, a call did not settle in ${STALLED_MS / 1_000} s` : ''
  return `${counts}; ${outcomes}; ${time}, ${figures.connections} handshakes${stalled}`
}
