import type { ReceiptPlan } from './tokens.ts'
import { assertStep } from './script-check.ts'

export type Route = 'send' | 'getReceipts'

/** A body in place of the usual one; the README says what each looks like. Any object or array is answered as it is. */
export type BodyFault =
  | 'ok'
  | 'html'
  | 'empty'
  | 'garbage'
  | 'truncated'
  | 'fewer'
  | 'more'
  | 'duplicate-ids'
  | 'object'
  | 'huge'
  | 'gzip-bomb'
  | Record<string, unknown>
  | unknown[]

/** The requests that a step takes, of those that reach it. */
export type Turns = {
  /** How many requests it takes. Default 1; 0 = until the script is reset. */
  times?: number
  /** Takes every nth of the requests that reach it. */
  every?: number
  /** Takes this share (0 to 1) of the requests that reach it, by a generator started from `seed`. */
  probability?: number
  seed?: number
}

/** One step of a script: which requests it takes, and what it does to them. */
export type FaultStep = Turns & {
  /** Left out: both routes. */
  match?: Route
  status?: number
  headers?: Record<string, string>
  /** Milliseconds before the answer (or the cut); messages are accepted before. */
  delayMs?: number
  /** The answer waits for it, in the process of the simulator alone. */
  until?: Promise<unknown>
  /**
   * True: the messages are accepted and logged, whatever the answer is. Default: true unless the step fails the
   * request.
   */
  accept?: boolean
  /** Where the connection is reset: before the body is read, after it, or halfway through the answer. */
  cut?: 'before-read' | 'after-read' | 'mid-body'
  body?: BodyFault
  /** Error codes for some tickets of a send, by recipient index or by token; `*` is for all others. */
  ticketErrors?: Record<string, string>
  /** The receipts of the messages that a send accepts; what this one answer of getReceipts says. */
  receipts?: ReceiptPlan
  /** The `errors` list of a whole-request failure. */
  errors?: { code: string; message: string; details?: unknown }[]
}

/** The steps that wait, in order. */
export type Script = { steps: LiveStep<FaultStep>[] }

export type LiveStep<S extends Turns> = { step: S; met: number; taken: number; random: () => number }

/** Adds steps after those that wait. Throws a TypeError that names the first wrong field. */
export function addSteps(script: Script, steps: readonly unknown[]): void {
  const checked = steps.map((step, index) => {
    assertStep(step, `steps[${index}]`)
    return step
  })
  addToScript(script.steps, checked)
}

/** Adds steps that have met nothing yet. */
export function addToScript<S extends Turns>(script: LiveStep<S>[], steps: readonly S[]): void {
  script.push(...steps.map((step) => ({ step, met: 0, taken: 0, random: seededRandom(step.seed ?? 1) })))
}

/** The first step that matches this request, with one use taken; undefined = the request is served as usual. */
export function takeStep(script: Script, route: Route): FaultStep | undefined {
  return takeFirst(script.steps, ({ match }) => match === undefined || match === route)
}

/** The first step that matches and whose turn it is, with one use taken. */
export function takeFirst<S extends Turns>(steps: LiveStep<S>[], matches: (step: S) => boolean): S | undefined {
  for (const [index, live] of steps.entries()) {
    const { step } = live
    if (!matches(step)) continue
    live.met++
    if (step.every && live.met % step.every !== 0) continue
    if (step.probability !== undefined && live.random() >= step.probability) continue
    live.taken++
    if (step.times !== 0 && live.taken >= (step.times ?? 1)) steps.splice(index, 1)
    return step
  }
  return undefined
}

/** Whether a step lets the request be accepted, whatever is answered. */
export function accepts(step: FaultStep | undefined): boolean {
  if (!step) return true
  return step.accept ?? !fails(step)
}

function fails(step: FaultStep): boolean {
  return (step.status ?? 200) >= 400 || step.errors !== undefined || (step.cut !== undefined && step.cut !== 'mid-body')
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
