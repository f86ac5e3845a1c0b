import type { Route } from '../script.ts'
import type { Provider } from './push.ts'

/** A row of requests of one kind, and what they did. */
export type TrafficLine = Outcome & { id: number; time: number; requests: number }

/** What a request did. */
export type Outcome = {
  provider: Provider
  route: Route
  /** The answer to the sender: a status, a cut connection, or nothing. */
  answer: number | 'cut' | 'silence'
  /** How long the answer waits, in milliseconds. */
  waitMs: number
  /** Messages that were accepted, and how many of them were accepted before with the same notification id. */
  accepted: number
  copies: number
  /** Messages that were refused in their tickets. */
  refused: number
}

/** The latest requests, oldest first. */
export type Traffic = { lines: TrafficLine[]; nextId: number; changed: boolean }

const MOST_LINES = 40
const IN_A_ROW_MS = 2_000

export function createTraffic(): Traffic {
  return { lines: [], nextId: 1, changed: true }
}

/** Notes a request at `time` (Unix ms); requests of the same kind that follow one another closely share a line. */
export function noteRequest(traffic: Traffic, outcome: Outcome, time: number): void {
  traffic.changed = true
  const last = traffic.lines.at(-1)
  if (last && isAlike(last, outcome) && time - last.time < IN_A_ROW_MS) {
    last.time = time
    last.requests++
    last.accepted += outcome.accepted
    last.copies += outcome.copies
    last.refused += outcome.refused
    return
  }
  traffic.lines.push({ ...outcome, id: traffic.nextId++, time, requests: 1 })
  if (traffic.lines.length > MOST_LINES) traffic.lines.shift()
}

function isAlike(one: Outcome, other: Outcome): boolean {
  return (
    one.provider === other.provider &&
    one.route === other.route &&
    one.answer === other.answer &&
    one.waitMs === other.waitMs &&
    one.copies > 0 === other.copies > 0 &&
    one.refused > 0 === other.refused > 0
  )
}
