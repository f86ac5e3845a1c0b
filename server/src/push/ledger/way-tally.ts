import { NO_WAY_COUNTS, WAY_COUNTS, type ByWay, type WayCounts } from '../records/way-counts.queries.ts'
import { OWN_CODES } from '../provider/provider.ts'
import { must } from '../../platform/shared/must.ts'
import { COPY, type Ledger } from './ledger.ts'

const GONE = 'DeviceNotRegistered'
const OURS: ReadonlySet<string> = new Set(OWN_CODES)

/** Counts what became of the copies of a batch, by way, in one pass as `countsIn` does. */
export function countByWay({ facts, words }: Pick<Ledger, 'facts' | 'words'>): Map<string, WayCounts> {
  // A batch has few ways, so that the name of each is read once.
  const counts: WayCounts[] = []
  for (const [place, state] of facts.state.entries()) {
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

/** How `after` differs from the counts before. */
export function subtractCounts(after: ReadonlyMap<string, WayCounts>, before: ByWay): ByWay {
  const ways = new Set([...after.keys(), ...before.keys()])
  return new Map(
    Array.from(ways, (way) => {
      const [now, was] = [after.get(way), before.get(way)]
      const changes = WAY_COUNTS.map((name) => [name, (now?.[name] ?? 0) - (was?.[name] ?? 0)] as const)
      return [way, Object.fromEntries(changes) as WayCounts]
    }),
  )
}
