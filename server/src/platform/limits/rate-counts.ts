import { LRUCache } from 'lru-cache'
import { sleep } from '../shared/clock.ts'
import { must } from '../shared/must.ts'
import { gather } from '../concurrency/gather.ts'
import type { Hits } from './rate-limit.queries.ts'

export type Window = Omit<Hits, 'hits'>

/** Returns the new totals, or undefined when the database is unreachable. Never rejects. */
type Share = (batch: Hits[]) => Promise<number[] | undefined>

const SHARE_EVERY_MS = 250
const SUBJECTS_MAX = 50_000
const MOST_ADDED = 1_000

/** Counts for high limits: exact within one process, late by 250 ms between processes. */
export function createLocalCounts(share: Share) {
  type Count = Window & { total: number; unshared: number }
  const counts = new LRUCache<string, Count>({ max: SUBJECTS_MAX })
  const changed = new Set<Count>()
  const closing = new AbortController()
  let running: Promise<void> | undefined

  const run = async () => {
    while (changed.size > 0) {
      await sleep(SHARE_EVERY_MS, closing.signal)
      await flush()
    }
    running = undefined
  }

  const flush = async () => {
    const sent = [...changed]
    changed.clear()
    const batch = sent.map((count) => ({ ...count, hits: count.unshared }))
    for (const count of sent) count.unshared = 0
    const totals = await share(batch)
    for (const [index, count] of sent.entries())
      count.total = Math.max(count.total, (totals?.[index] ?? 0) + count.unshared)
  }

  const readCount = (window: Window): Count => {
    const known = counts.get(window.key)
    if (known?.windowStart === window.windowStart) return known
    const count = { ...window, total: 0, unshared: 0 }
    if (known) changed.delete(known)
    counts.set(window.key, count)
    return count
  }

  return {
    /** Gives the sum of the window with this call, also when it does not count because `calls` were counted before. */
    add: (window: Window, calls: number): number => {
      const count = readCount(window)
      if (count.total >= calls) return count.total + 1
      count.total++
      count.unshared++
      changed.add(count)
      running ??= run()
      return count.total
    },
    close: async () => {
      closing.abort()
      await running
    },
  }
}

/**
 * Counts for low limits, exact over all processes: calls that arrive while the database is asked share the next
 * statement.
 */
export function createExactCounts(share: Share) {
  type Call = { window: Window; amount: number }
  const pending = new Set<Promise<number>>()
  const add = gather(async (calls: Call[]): Promise<number[]> => {
    const groups = [...Map.groupBy(calls, ({ window }) => `${window.key} ${window.windowStart}`).values()]
    const totals = await share(groups.map(toHits))
    const places = new Map<Call, number>()
    for (const [index, group] of groups.entries()) {
      const added = group.reduce((sum, { amount }) => sum + Math.max(amount, 0), 0)
      let place = (totals?.[index] ?? -Infinity) - added
      for (const call of group) places.set(call, (place += Math.max(call.amount, 0)))
    }
    return calls.map((call) => must(places.get(call), 'place of a call'))
  }, MOST_ADDED)

  return {
    /** A negative `amount` takes back. Gives the window's sum with this call, or -Infinity if it is unknown. */
    add: async (window: Window, amount: number): Promise<number> => {
      const place = add({ window, amount })
      pending.add(place)
      return place.finally(() => pending.delete(place))
    },
    close: async () => {
      await Promise.allSettled(pending)
    },
  }
}

function toHits(group: { window: Window; amount: number }[]): Hits {
  const hits = group.reduce((sum, { amount }) => sum + amount, 0)
  return { ...must(group[0], 'call of a window').window, hits }
}
