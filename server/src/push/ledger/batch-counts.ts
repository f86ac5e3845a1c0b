import { must } from '../../platform/shared/must.ts'
import { tally } from '../../platform/shared/tally.ts'
import { OWN_CODES } from '../provider/provider.ts'
import type { CountChange } from '../records/counts.queries.ts'
import { NO_WAY_COUNTS, WAY_COUNTS, type WayCounts } from '../records/way-counts.queries.ts'
import { COPY, type Ledger } from './ledger.ts'

const GONE = 'DeviceNotRegistered'
const OURS: ReadonlySet<string> = new Set(OWN_CODES)

/** `byWay`: what became of its copies, by the word of their way. */
export type BatchCounts = Required<Pick<CountChange, 'notifications' | 'notified' | 'possible_duplicates'>> & {
  byWay: ReadonlyMap<string, WayCounts>
}

export function countBatch(ledger: Ledger): BatchCounts {
  const { userIds, deviceIds, facts } = ledger
  return {
    notifications: deviceIds.length,
    notified: tally(facts.owner, userIds.length).reduce((people, copies) => people + Math.min(copies, 1), 0),
    possible_duplicates: facts.duplicates.reduce((sum, n) => sum + n, 0),
    byWay: countByWay(ledger),
  }
}

function countByWay({ facts, words }: Ledger): Map<string, WayCounts> {
  // A batch has few ways, so that the name of each is read once. An iterator would make an object for each copy.
  const counts: WayCounts[] = []
  for (let place = 0; place < facts.state.length; place++) {
    const state = must(facts.state[place], 'state of a copy')
    if (state < COPY.sent) continue
    const own = (counts[must(facts.way[place], 'way of a copy') - 1] ??= { ...NO_WAY_COUNTS })
    if (state !== COPY.ended) own.accepted++
    if (state === COPY.delivered) own.delivered++
    else if (state !== COPY.sent) addFailure(own, words[(facts.code[place] ?? 0) - 1])
  }
  return new Map(Object.entries(counts).map(([way, own]) => [must(words[Number(way)], 'word of a way'), own]))
}

function addFailure(counts: WayCounts, code: string | undefined): void {
  counts.failed++
  if (code === GONE) counts.gone++
  else if (code !== undefined && !OURS.has(code)) counts.refused++
}

/** What a transaction changed of the counts of a batch. `before`: its counts when it was locked. */
export function findCountChange(ledger: Ledger, before: BatchCounts): CountChange {
  const after = countBatch(ledger)
  const change = { messageId: ledger.messageId, byWay: new Map<string, WayCounts>(), sent: 0, delivered: 0, failed: 0 }
  for (const way of new Set([...after.byWay.keys(), ...before.byWay.keys()])) {
    const own = subtractCounts(after.byWay.get(way), before.byWay.get(way))
    change.byWay.set(way, own)
    change.sent += own.accepted
    change.delivered += own.delivered
    change.failed += own.failed
  }
  return {
    ...change,
    notifications: after.notifications - before.notifications,
    notified: after.notified - before.notified,
    possible_duplicates: after.possible_duplicates - before.possible_duplicates,
  }
}

function subtractCounts(now = NO_WAY_COUNTS, was = NO_WAY_COUNTS): WayCounts {
  return Object.fromEntries(WAY_COUNTS.map((name) => [name, now[name] - was[name]])) as WayCounts
}
