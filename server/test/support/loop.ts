import { createWakeSignal } from '../../src/platform/jobs/wake-signal.ts'
import type { Loops } from '../../src/platform/jobs/loops.ts'

/** A loop whose round takes until the loop ends. */
export function beginLoop(loops: Loops, name: string, withinMs: number) {
  const ending = new AbortController()
  const round = Promise.withResolvers<number>()
  let isAlive: (() => void) | undefined
  const settings = { name, work: createWakeSignal(), signal: ending.signal, withinMs, failed: () => undefined }
  const ended = loops.run(settings, (tell) => {
    isAlive = tell
    return round.promise
  })
  const end = async () => {
    ending.abort()
    round.resolve(0)
    await ended
  }
  return { isAlive: () => isAlive?.(), end }
}
