import { PROVIDER_COUNTS, type ByProvider, type ProviderCounts } from '../records/provider-counts.queries.ts'
import { must } from '../../platform/shared/must.ts'
import { COPY, type Ledger } from './ledger.ts'

const GONE = 'DeviceNotRegistered'

/** What became of the copies of a batch, by provider, as `countsIn` counts them together. */
export function countByProvider({ facts, words }: Pick<Ledger, 'facts' | 'words'>): Map<string, ProviderCounts> {
  const counts = new Map<string, ProviderCounts>()
  // A batch has few ways, so the name of each is read once.
  const byWay: ProviderCounts[] = []
  const goneCode = words.indexOf(GONE) + 1
  for (const [place, state] of facts.state.entries()) {
    if (state < COPY.sent) continue
    const way = must(facts.way[place], 'way of a copy') - 1
    const own = (byWay[way] ??= openCounts(counts, must(words[way], 'word of a way')))
    if (state !== COPY.ended) own.accepted++
    if (state === COPY.delivered) own.delivered++
    else if (state !== COPY.sent) {
      own.failed++
      if (goneCode > 0 && facts.code[place] === goneCode) own.gone++
    }
  }
  return counts
}

function openCounts(counts: Map<string, ProviderCounts>, way: string): ProviderCounts {
  const [provider = ''] = way.split(' ')
  const own = counts.get(provider) ?? { accepted: 0, delivered: 0, failed: 0, gone: 0, opened: 0 }
  counts.set(provider, own)
  return own
}

/** How `after` differs from the counts before. */
export function subtractCounts(after: ReadonlyMap<string, ProviderCounts>, before: ByProvider): ByProvider {
  const providers = new Set([...after.keys(), ...before.keys()])
  return new Map(
    Array.from(providers, (provider) => {
      const [now, was] = [after.get(provider), before.get(provider)]
      const changes = PROVIDER_COUNTS.map((name) => [name, (now?.[name] ?? 0) - (was?.[name] ?? 0)] as const)
      return [provider, Object.fromEntries(changes) as ProviderCounts]
    }),
  )
}
