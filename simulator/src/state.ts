import { createLedger, type Ledger } from './ledger.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'
import type { Script } from './script.ts'
import { clearDirect, type Direct } from './direct/doubles.ts'
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
  /** Providers beside Expo's service; null: there are none. */
  direct: Direct | null
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
  return { options, wall: createWall(), direct: null, ...blank(options) }
}

/** Resets to the state at the start; the log file, if any, stays, and phones stay signed in. */
export function resetState(state: State): void {
  const { ledger, direct } = state
  Object.assign(state, blank(state.options))
  // All providers write into the same one.
  state.ledger = Object.assign(ledger, createLedger())
  if (direct) {
    clearDirect(direct)
    Object.assign(direct.counts, { requests: 0, refused: 0 })
  }
  clearWall(state.wall)
}

/** Drops the steps that wait, those of all providers. */
export function clearScript({ script, direct }: State): void {
  script.steps.length = 0
  if (direct) clearDirect(direct)
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
    directRequests: state.direct?.counts.requests ?? 0,
    directRefused: state.direct?.counts.refused ?? 0,
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
