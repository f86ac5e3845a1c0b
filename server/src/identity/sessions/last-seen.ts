import type { Db } from '../../platform/db/connect.ts'
import type { Clock } from '../../platform/shared/clock.ts'
import type { Log } from '../../platform/shared/log.ts'
import { updateLastSeen } from './sessions.queries.ts'

/** A write at each call would cost more than the call. */
const REST_MS = 60 * 60_000
const FLUSH_EVERY_MS = 3_000
const MOST_NOTED = 50_000
const AT_ONCE = 1_000

export type LastSeen = ReturnType<typeof createLastSeen>

/** A session that is used lives `unusedMs` longer, up to its end. */
export function createLastSeen({ db, clock, log }: { db: Db; clock: Clock; log: Log }, unusedMs: number) {
  const noted = new Map<string, Date>()
  const state: { timer: NodeJS.Timeout | undefined } = { timer: undefined }
  const flush = async () => {
    clearTimeout(state.timer)
    state.timer = undefined
    // All processes use one order, so that two of them cannot deadlock.
    const visits = [...noted].map(([id, at]) => ({ id, at })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    noted.clear()
    try {
      for (let from = 0; from < visits.length; from += AT_ONCE)
        await updateLastSeen(db, { seen: visits.slice(from, from + AT_ONCE), restMs: REST_MS, unusedMs })
    } catch (error) {
      log.warn({ err: error }, 'when sessions were last used could not be stored')
    }
  }
  return {
    /** `before`: when it was last seen. Takes no time and never fails. */
    note: (sessionId: string, before: Date): void => {
      const now = clock.now()
      if (now - before.getTime() < REST_MS || noted.size >= MOST_NOTED) return
      noted.set(sessionId, new Date(now))
      state.timer ??= setTimeout(() => void flush(), FLUSH_EVERY_MS).unref()
    },
    /** What cannot be stored is dropped, because the next use is noted again. Never rejects. */
    flush,
  }
}
