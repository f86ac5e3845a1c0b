import { createLedger, type Ledger } from './ledger.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'
import type { Script } from './script.ts'
import type { FullOptions } from './settings.ts'
import type { TokenRule } from './tokens.ts'
import { clearWall, createWall, type Wall } from './wall/wall.ts'

export type State = {
  options: FullOptions
  /** Milliseconds by which the clock was advanced. */
  advancedMs: number
  ledger: Ledger
  rate: RateLimit
  script: Script
  tokenRules: Map<string, TokenRule>
  counts: Counts
  wall: Wall
}

type Counts = {
  sendRequests: number
  receiptRequests: number
  refusedRequests: Record<string, number>
  refusedMessages: number
  errorTickets: number
  scriptedFaults: number
  cuts: number
}

export function createState(options: FullOptions): State {
  return { options, wall: createWall(), ...blank(options) }
}

/** Resets to the state at the start; the log file, if any, stays, and phones stay signed in. */
export function resetState(state: State): void {
  Object.assign(state, blank(state.options))
  clearWall(state.wall)
}

/** The simulator's time, Unix milliseconds. */
export function readTime(state: State): number {
  return state.options.now() + state.advancedMs
}

export function countRefusal(state: State, code: string, messages: number): void {
  state.counts.refusedRequests[code] = (state.counts.refusedRequests[code] ?? 0) + 1
  state.counts.refusedMessages += messages
}

export function describeState(state: State) {
  const { counts, ledger } = state
  return {
    time: readTime(state),
    sendRequests: counts.sendRequests,
    receiptRequests: counts.receiptRequests,
    acceptedMessages: ledger.count,
    duplicates: ledger.duplicates,
    errorTickets: counts.errorTickets,
    refusedRequests: counts.refusedRequests,
    refusedMessages: counts.refusedMessages,
    rateLimited: counts.refusedRequests['TOO_MANY_REQUESTS'] ?? 0,
    scriptedFaults: counts.scriptedFaults,
    cuts: counts.cuts,
    scriptLeft: state.script.steps.map(({ step, taken }) => ({ ...step, taken })),
    tokenRules: state.tokenRules.size,
  }
}

function blank(options: FullOptions) {
  return {
    advancedMs: 0,
    ledger: createLedger(),
    rate: createRateLimit(options.ratePerSecond),
    script: { steps: [] },
    tokenRules: new Map<string, TokenRule>(),
    counts: {
      sendRequests: 0,
      receiptRequests: 0,
      refusedRequests: {},
      refusedMessages: 0,
      errorTickets: 0,
      scriptedFaults: 0,
      cuts: 0,
    },
  }
}
