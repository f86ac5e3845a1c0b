import type { PushDeps } from '../deps.ts'
import { atHome, countHomes, withinTime } from '../../platform/db/homes.ts'
import type { Lane } from '../../platform/tables/tables.ts'
import { fromNow, sleep } from '../../platform/shared/clock.ts'
import { findWait } from '../provider/breaker-rules.ts'
import type { Contact } from '../../platform/jobs/contact.ts'
import type { LaneSignals } from './lanes.ts'
import { LANES, listAwakeHomes } from '../ledger/due-work.queries.ts'
import { eachHome, listHomes, listHomesTogether } from '../records/home.queries.ts'
import { findOpenWork, findWorkOfAll, findWorkOfHome, type OpenLanes, type OpenWork } from './poller.queries.ts'

type Waiting = { lanes: Map<string, LaneSignals>; badges: () => void }
/** `ahead`: what decides while no provider takes pushes. */
type Woken = Waiting & { ahead: () => void; contact: Contact; hears: () => boolean }

const POLL_EVERY_MS = { woken: 1_000, deaf: 200 }
// The shortest time between two polls, however often it is woken.
const GAP_MS = 50
// A silent database is given up after 35 s.
const POLL_WITHIN_MS = 40_000
// Less than the time after which a process counts as stopped (`createContact`).
const HOME_MS = 3_000

/** Polls when work is announced or due, and once a second; five times where no announcements arrive (ADR 3). */
export function startPoller(
  deps: Pick<PushDeps, 'db' | 'clock' | 'config' | 'log' | 'loops' | 'queue'>,
  { lanes, badges, ahead, contact, hears }: Woken,
  signal: AbortSignal,
): Promise<void> {
  const { announced, waiting } = deps.queue
  const providers = [...lanes.keys()]
  const unanswered = new Set<number>()
  const begin = (work: OpenWork) => {
    contact.noteContact()
    const now = deps.clock.now()
    if (work.uncoordinated) waiting.get('coordinate')?.()
    if (work.lanes.every(({ breaker }) => breaker !== 'closed')) ahead()
    const starts = listStarts(work, { lanes, badges }, now)
    for (const { at, wake } of starts) if (at <= now) wake()
    return Math.min(...starts.filter(({ at }) => at > now).map(({ at }) => at - now))
  }
  const poll = async () => {
    const everyMs = hears() ? POLL_EVERY_MS.woken : POLL_EVERY_MS.deaf
    const restsMs = [everyMs]
    await eachOpenWork(deps, providers, {
      unanswered,
      note: (work) => restsMs.push(begin(work)),
      lost: contact.lostHomes,
    }).catch((error: unknown) => {
      // People of other homes wait no longer because a server is away, and are swept for.
      if (restsMs.length === 1) throw error
      warn(error)
    })
    return Math.min(...restsMs)
  }
  const warn = (error: unknown) => deps.log.warn({ err: error }, 'the worker could not poll for work')
  const failed = (error: unknown) => {
    contact.lost()
    warn(error)
  }
  const settings = { name: 'poller', work: announced, signal, withinMs: POLL_WITHIN_MS, failed }
  return deps.loops.run(settings, async () => {
    const restMs = await poll()
    await sleep(Math.min(GAP_MS, restMs), signal)
    return restMs - GAP_MS
  })
}

/** `unanswered`: homes whose answer an earlier round waits for no longer. */
type Hearing = {
  unanswered: Set<number>
  note: (work: OpenWork) => unknown
  lost: (homes: Iterable<number>) => void
}

/**
 * Of several homes only those are asked in which a message runs; what lies in no home says which. They are asked even
 * once everything is known to be due, so that a server that is away is noticed while answers for it are on their way. A
 * silent one holds up no other: it is heard when it answers, and is asked nothing more until then.
 */
async function eachOpenWork(
  { db, clock, config }: Pick<PushDeps, 'db' | 'clock' | 'config'>,
  providers: string[],
  { unanswered, note, lost }: Hearing,
): Promise<void> {
  const now = fromNow(clock)
  if (countHomes(db) === 1) return void note(await findOpenWork(db, 0, providers, now))
  const ofAll = await findWorkOfAll(db, providers)
  note(ofAll)
  const open = ofAll.lanes.filter(({ breaker }) => breaker === 'closed')
  const awake = await listAwakeHomes(db)
  const due = new Set<Lane>()
  const unasked = new Set(listHomes(db))
  const ask = async (home: number) => {
    const own = LANES.filter((lane) => awake[lane].has(home))
    if (own.length === 0 && config.FIREBASE_DATABASE_URL === '') return
    const lanes = own.filter((lane) => !due.has(lane))
    const asked = Object.fromEntries(lanes.map((lane) => [lane, awake[lane].get(home)]))
    const work = await atHome(db, home, (server) =>
      findWorkOfHome({ db, own: server, home }, { awake: asked, open }, now),
    )
    note(work)
    for (const lane of lanes) if (work.lanes.every((one) => isDue(one[`${lane}_due`], now))) due.add(lane)
  }
  const silent = new Set((await Promise.all(Array.from(unanswered, (home) => listHomesTogether(db, home)))).flat())
  await eachHome(db, async (home) => {
    if (silent.has(home)) return
    unanswered.add(home)
    await withinTime(
      HOME_MS,
      ask(home).finally(() => unanswered.delete(home)),
    )
    unasked.delete(home)
  }).finally(() => lost(unasked))
}

function isDue(at: number | null, now: Date): boolean {
  return at !== null && at <= now.getTime()
}

/** The lanes of a provider wait for its breaker, which one of them probes when that is due. */
function listStarts(work: OpenWork, { lanes, badges }: Waiting, now: number): { at: number; wake: () => void }[] {
  const ofLane = (open: OpenLanes, lane: Lane, due: number | null) => {
    const at = laneStart(open, due, now)
    const signals = lanes.get(open.provider)
    return at === undefined || signals === undefined ? [] : [{ at, wake: signals[lane].wake }]
  }
  return [
    ...work.lanes.flatMap((open) => [
      ...ofLane(open, 'transactional', open.transactional_due),
      ...ofLane(open, 'campaign', open.campaign_due),
    ]),
    ...(work.badges_due === null ? [] : [{ at: work.badges_due, wake: badges }]),
  ]
}

function laneStart({ breaker, ...open }: OpenLanes, due: number | null, now: number): number | undefined {
  const retryAt = open.retry_at === null ? null : new Date(open.retry_at)
  const wait = findWait({ breaker, retry_at: retryAt, busy_until: new Date(open.busy_until) }, new Date(now))
  if (wait?.reason === 'halted') return undefined
  const until = wait?.until?.getTime() ?? 0
  if (wait?.reason === 'away') return until
  return due === null ? undefined : Math.max(due, until)
}
