import type { Reason } from './reasons.ts'

/** Answers some pushes with a reason, whatever they are; `accept`: they are logged all the same. */
export type ApnsStep = {
  reason: Reason
  /** Apple writes some answers otherwise than its documents say. */
  status?: number
  /** How many pushes it takes. Default 1; 0 = until the script is cleared. */
  times?: number
  /** Takes every nth of the pushes that reach it. */
  every?: number
  accept?: boolean
}

export type ApnsScript = ReturnType<typeof createApnsScript>

export function createApnsScript() {
  let steps: { step: ApnsStep; met: number; taken: number }[] = []
  const take = (): ApnsStep | undefined => {
    for (const live of steps) {
      const { every = 1, times = 1 } = live.step
      if (++live.met % every !== 0) continue
      if (++live.taken === times) steps = steps.filter((other) => other !== live)
      return live.step
    }
    return undefined
  }
  return {
    add: (added: ApnsStep[]) => void steps.push(...added.map((step) => ({ step, met: 0, taken: 0 }))),
    clear: () => void (steps = []),
    take,
  }
}
