import type { Db } from '../../platform/db/connect.ts'
import type { Log } from '../../platform/shared/log.ts'
import type { Platform } from '../../platform/tables/tables.ts'
import { findGate } from './platforms.queries.ts'

/**
 * Open: the database said within the last 750 ms that the provider is neither halted nor away. `paused`: the
 * platforms to which nothing is sent. `busyUntil`: the provider asked for time.
 */
type Gate = { isOpen: boolean; busyUntil: Date; paused: ReadonlySet<Platform> }
/** `anew`: asks the database also if it answered a moment ago. */
export type SendGate = (log: Pick<Log, 'warn'>, freshness?: 'anew') => Promise<Gate>

// A halt is honoured within a second (ADR 4): an answer counts for FRESH_MS, and is void after LATE_MS.
const FRESH_MS = 250
const LATE_MS = 750

const CLOSED: Gate = { isOpen: false, busyUntil: new Date(0), paused: new Set() }

/** Needs no announcement; closed while the database is silent. `now`: milliseconds of a clock that never jumps. */
export function createSendGate(db: Db, provider: string, now: () => number = () => performance.now()): SendGate {
  let latest: { at: number; answer: Promise<Gate> } | undefined
  const ask = () => {
    const question = { at: now(), answer: read() }
    latest = question
    return question
  }
  const read = async () => {
    const { breaker, busy_until: busyUntil, paused } = await findGate(db, provider)
    return { isOpen: breaker !== 'halted' && breaker !== 'open', busyUntil, paused: new Set(paused) }
  }
  const forget = (question: typeof latest) => {
    if (latest === question) latest = undefined
  }
  return async (log, freshness) => {
    const question = freshness !== 'anew' && latest !== undefined && now() - latest.at <= FRESH_MS ? latest : ask()
    try {
      const answer = await question.answer
      // A gate that is closed, if only to a platform, is asked again each time, so that a resume is seen at once.
      if (!answer.isOpen || answer.paused.size > 0) forget(question)
      return now() - question.at <= LATE_MS ? answer : CLOSED
    } catch (error) {
      forget(question)
      log.warn({ err: error, provider }, 'it is not known whether sending is halted; no request begins')
      return CLOSED
    }
  }
}
