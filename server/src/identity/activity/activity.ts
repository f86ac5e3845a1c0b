import { LRUCache } from 'lru-cache'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { fromNow, type Clock } from '../../platform/shared/clock.ts'
import type { Log } from '../../platform/shared/log.ts'
import { dayAt, toDate } from '../../platform/shared/days.ts'
import { updateLastActive } from '../accounts/accounts.queries.ts'
import { insertActivity, recountGaps, type Days } from './activity.queries.ts'

const NEVER = 9_999
// A write of the account at each call would cost more than the call.
const REST_MS = 15 * 60_000
const FLUSH_EVERY_MS = 3_000
const FLUSH_AT = 1_000
// The process remembers this many users. It asks the database again about others, and counts nothing twice.
const SEEN_MAX = 200_000
const UNFLUSHED_MAX = 200_000

export type Activity = ReturnType<typeof createActivity>

type Touch = { userId: number; at: Date }

/**
 * Notes the days on which people are active (ADR 20). Unflushed touches are lost when the process is killed: a
 * statistic, which no answer has promised.
 */
export function createActivity({ db, clock, log }: { db: Db; clock: Clock; log: Log }) {
  // The cache grows as it fills. With `max` it would have its whole size from the start.
  const noted = new LRUCache<number, number>({ maxSize: SEEN_MAX, sizeCalculation: () => 1 })
  const unflushed = new Map<string, Map<number, Touch>>()
  let waiting = 0
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isAway = false
  let isClosed = false

  const note = (day: string, touch: Touch) => {
    const touches = unflushed.get(day) ?? new Map<number, Touch>()
    unflushed.set(day, touches)
    if (!touches.has(touch.userId)) waiting++
    touches.set(touch.userId, touch)
  }

  const storeAll = async () => {
    clearTimeout(timer)
    timer = undefined
    const days = [...unflushed].toSorted(([a], [b]) => (a < b ? -1 : 1))
    unflushed.clear()
    waiting = 0
    for (const [day, touches] of days) {
      const ordered = [...touches.values()].toSorted((a, b) => a.userId - b.userId)
      for (let from = 0; from < ordered.length; from += FLUSH_AT) await store(day, ordered.slice(from, from + FLUSH_AT))
    }
  }

  const store = async (day: string, touches: Touch[]) => {
    try {
      await inPlannedTransaction(db, 'by index', (tx) => storeDay(tx, day, touches))
      isAway = false
    } catch (error) {
      if (!isAway) log.warn({ err: error }, 'user activity could not be stored; it is tried again')
      isAway = true
      for (const touch of touches) if (waiting < UNFLUSHED_MAX) note(day, touch)
    }
  }

  const flush = async () => {
    await running
    running ??= storeAll().finally(() => {
      running = undefined
      flushLater()
    })
    await running
  }

  const flushLater = () => {
    if (waiting === 0 || running || isClosed) return
    if (waiting >= FLUSH_AT && !isAway) void flush()
    else timer ??= setTimeout(() => void flush(), FLUSH_EVERY_MS).unref()
  }

  return {
    /** Takes no time and never fails. */
    touch: (userId: number): void => {
      const at = fromNow(clock)
      const now = at.getTime()
      const before = noted.get(userId)
      if (before !== undefined && now - before < REST_MS && dayAt(new Date(before)) === dayAt(at)) return
      noted.set(userId, now)
      if (waiting >= UNFLUSHED_MAX) return
      note(toDate(dayAt(at)), { userId, at })
      flushLater()
    },
    /** Never rejects: what cannot be stored now is tried again later. */
    flush,
    close: (): Promise<void> => {
      isClosed = true
      return flush()
    },
  }
}

/** Rebuilds the histogram from the stored days, safely while activity is noted. Returns the users and days counted. */
export async function rebuildGapHistogram(db: Db, days: Days): Promise<number> {
  return inTransaction(db, (tx) => recountGaps(tx, days))
}

async function storeDay(tx: Tx, day: string, seen: Touch[]): Promise<void> {
  const rows = await updateLastActive(tx, { day, seen, restMs: REST_MS })
  const users = rows
    .filter(({ days_since }) => days_since === null || days_since > 0)
    .map(({ user_id, days_since }) => ({ userId: user_id, gap: Math.min(days_since ?? NEVER, NEVER) }))
  const late = rows.filter(({ days_since }) => (days_since ?? 0) < 0).map(({ user_id }) => user_id)
  if (users.length + late.length > 0) await insertActivity(tx, { day, users, late })
}
