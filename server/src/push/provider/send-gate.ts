import type { Db } from '../../platform/db/connect.ts'
import type { Log } from '../../platform/shared/log.ts'
import { findProviderState } from './provider-state.queries.ts'

export type SendGate = {
  /** True when the database answered within the last 750 ms that the provider is not halted. */
  isOpen(log: Pick<Log, 'warn'>): Promise<boolean>
}

// A halt is honoured within a second (ADR 048): an answer counts for FRESH_MS, and is void after LATE_MS.
const FRESH_MS = 250
const LATE_MS = 750

/** Needs no announcement; closed while the database is silent. `now`: milliseconds of a clock that never jumps. */
export function createSendGate(db: Db, provider: string, now: () => number = () => performance.now()): SendGate {
  let asked: { at: number; answer: Promise<boolean> } | undefined
  const ask = () => {
    const question = { at: now(), answer: read() }
    asked = question
    return question
  }
  const read = async () => (await findProviderState(db, provider)).breaker !== 'halted'
  const forget = (question: typeof asked) => {
    if (asked === question) asked = undefined
  }
  const isOpen = async (log: Pick<Log, 'warn'>) => {
    const question = asked !== undefined && now() - asked.at <= FRESH_MS ? asked : ask()
    try {
      const isAnsweredOpen = await question.answer
      // A closed gate is asked again each time, so that a resume is seen at once.
      if (!isAnsweredOpen) forget(question)
      return isAnsweredOpen && now() - question.at <= LATE_MS
    } catch (error) {
      forget(question)
      log.warn({ err: error, provider }, 'it is not known whether sending is halted; no request begins')
      return false
    }
  }
  return { isOpen }
}
