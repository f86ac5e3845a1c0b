import { sleep } from '../shared/clock.ts'
import type { WakeSignal } from './wake-signal.ts'

/** A round takes at most `withinMs`; after one that throws, the next begins a second later. */
type Run = {
  name: string
  work: WakeSignal
  signal: AbortSignal
  withinMs: number
  failed: (error: unknown) => void
}

export type Loops = {
  /** Rounds until the signal aborts. A round returns for how many milliseconds to rest, unless `work` wakes it. */
  run(settings: Run, round: (isAlive: () => void) => Promise<number>): Promise<void>
  count(): number
  late(): string[]
}

const AFTER_ERROR_MS = 1_000

/** A loop is late `graceMs` after its deadline; `now` is a clock that never jumps, in milliseconds. */
export function createLoops(graceMs: number, now: () => number = () => performance.now()): Loops {
  const due = new Map<symbol, { name: string; at: number }>()
  const run: Loops['run'] = async ({ name, work, signal, withinMs, failed }, round) => {
    const id = Symbol(name)
    const comesWithin = (ms: number) => void due.set(id, { name, at: now() + ms })
    const isAlive = () => comesWithin(withinMs)
    while (!signal.aborted) {
      const wakes = work.wakes()
      isAlive()
      try {
        const restMs = await round(isAlive)
        if (restMs > 0) {
          comesWithin(Math.max(restMs, withinMs))
          await work.wait(restMs, signal, wakes)
        }
      } catch (error) {
        failed(error)
        await sleep(AFTER_ERROR_MS, signal)
      }
    }
    due.delete(id)
  }
  const late = () => [...due.values()].filter(({ at }) => now() - at > graceMs).map(({ name }) => name)
  return { run, count: () => due.size, late }
}
