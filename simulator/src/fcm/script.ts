import { takeFirst, type LiveStep, type Turns } from '../script.ts'
import type { Answer, FaultName } from './google-error.ts'

/** What some requests of a route are answered. */
export type Step = Turns & {
  match: 'send' | 'token'
  /** One of Google's faults, or an answer of its own. Absent: the usual one, late. */
  answer?: FaultName | Answer
  headers?: Record<string, string>
  /** The message is accepted and logged all the same, as before some faults of 5xx. */
  accept?: boolean
  /** The answer waits for it. */
  until?: Promise<unknown>
}

export type Script = LiveStep<Step>[]

export function takeStep(script: Script, route: Step['match']): Step | undefined {
  return takeFirst(script, ({ match }) => match === route)
}
