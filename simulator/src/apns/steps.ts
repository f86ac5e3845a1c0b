import type { LiveStep, Turns } from '../script.ts'
import type { Reason } from './reasons.ts'

/** Answers some pushes with a reason, whatever they are; `accept`: they are logged all the same. */
export type ApnsStep = Turns & {
  reason: Reason
  /** Apple writes some answers otherwise than its documents say. */
  status?: number
  /** The time in a 410, Unix ms. Default: an hour ago. */
  since?: number
  accept?: boolean
}

export type ApnsScript = LiveStep<ApnsStep>[]
