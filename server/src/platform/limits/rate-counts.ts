import { sleep } from '../shared/clock.ts'
import type { Hits } from './rate-limit.queries.ts'

/** One subject's counter in one stretch of time; times in milliseconds. */
export type Window = { key: string; windowStart: number; expiresAt: number }

/** Adds to the shared counters and gives the new totals, or undefined when they cannot be reached. Never rejects. */
type Share = (batch: Hits[]) => Promise<number[] | undefined>

const SHARE_EVERY_MS = 250
const SUBJECTS_MAX = 50_000

/**
 * Counters for high limits: counted in this process at once, added to the shared totals every 250 ms in one statement
 * for all of them. So a limit is exact within one process, and late by 250 ms between processes.
 */
export function createLocalCounts(share: Share) {
  type Count = Window & { total: number; unshared: number }
  const counts = new Map<string, Count>()
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
    const batch = sent.map((count) => ({ ...windowOf(count), hits: count.unshared }))
    for (const count of sent) count.unshared = 0
    const totals = await share(batch)
    for (const [index, count] of sent.entries())
      count.total = Math.max(count.total, (totals?.[index] ?? 0) + count.unshared)
  }

  const countOf = (window: Window): Count => {
    const known = counts.get(window.key)
    if (known?.windowStart === window.windowStart) return known
    const count = { ...window, total: 0, unshared: 0 }
    if (known) changed.delete(known)
    counts.delete(window.key)
    counts.set(window.key, count)
    if (counts.size > SUBJECTS_MAX) counts.delete(counts.keys().next().value ?? '')
    return count
  }

  return {
    /** Counts a call, unless `calls` were counted before it: then false. */
    add: (window: Window, calls: number): boolean => {
      const count = countOf(window)
      if (count.total >= calls) return false
      count.total++
      count.unshared++
      changed.add(count)
      running ??= run()
      return true
    },
    close: async () => {
      closing.abort()
      await running
    },
  }
}

/**
 * Counters for low limits: each call waits for the shared total, so they are exact over all processes. Calls that
 * arrive while the database is asked go together in the next statement.
 */
export function createExactCounts(share: Share) {
  type Call = { window: Window; amount: number; resolve: (place: number) => void }
  let waiting: Call[] = []
  let running: Promise<void> | undefined

  const run = async () => {
    // What one caller adds at once goes in one statement.
    await Promise.resolve()
    while (waiting.length > 0) {
      const groups = [...Map.groupBy(waiting, ({ window }) => `${window.key} ${window.windowStart}`).values()]
      waiting = []
      const totals = await share(
        groups.map((calls) => ({
          ...windowOf(calls[0]!.window),
          hits: calls.reduce((sum, call) => sum + call.amount, 0),
        })),
      )
      for (const [index, calls] of groups.entries()) settle(calls, totals?.[index])
    }
    running = undefined
  }

  const settle = (calls: Call[], total: number | undefined) => {
    const added = calls.reduce((sum, { amount }) => sum + Math.max(amount, 0), 0)
    let place = total === undefined ? -Infinity : total - added
    for (const { amount, resolve } of calls) resolve((place += Math.max(amount, 0)))
  }

  return {
    /**
     * Adds `amount`; one below 0 takes back. Gives the sum of the window up to and with this call, -Infinity when nobody
     * knows.
     */
    add: (window: Window, amount: number): Promise<number> => {
      const answer = new Promise<number>((resolve) => waiting.push({ window, amount, resolve }))
      running ??= run()
      return answer
    },
    close: async () => running,
  }
}

function windowOf({ key, windowStart, expiresAt }: Window): Window {
  return { key, windowStart, expiresAt }
}
