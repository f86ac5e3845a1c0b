import { sleep } from '../shared/clock.ts'
import type { WakeSignal } from './wake-signal.ts'

type Loop = {
  /** It is alive, and its next round begins within this many milliseconds. */
  comesWithin(ms: number): void
  end(): void
}

export type Loops = {
  open(name: string): Loop
  count(): number
  late(): string[]
}

/** A loop is late `graceMs` after its deadline; `now` is a clock that never jumps, in milliseconds. */
export function createLoops(graceMs: number, now: () => number = () => performance.now()): Loops {
  const due = new Map<symbol, { name: string; at: number }>()
  const open = (name: string): Loop => {
    const id = Symbol(name)
    const comesWithin = (ms: number) => void due.set(id, { name, at: now() + ms })
    comesWithin(0)
    return { comesWithin, end: () => void due.delete(id) }
  }
  const late = () => [...due.values()].filter(({ at }) => now() - at > graceMs).map(({ name }) => name)
  return { open, count: () => due.size, late }
}

const AFTER_ERROR_MS = 1_000

/** Repeats `round` until the signal aborts. It returns for how many milliseconds to rest, unless `work` wakes it. */
export async function runLoop(
  { loop, work, signal, withinMs, failed }: Run,
  round: () => Promise<number>,
): Promise<void> {
  while (!signal.aborted) {
    const wakes = work.wakes()
    loop.comesWithin(withinMs)
    try {
      const restMs = await round()
      if (restMs > 0) {
        loop.comesWithin(Math.max(restMs, withinMs))
        await work.wait(restMs, signal, wakes)
      }
    } catch (error) {
      failed(error)
      await sleep(AFTER_ERROR_MS, signal)
    }
  }
  loop.end()
}

/** A round takes at most `withinMs`; after one that throws, the next begins a second later. */
type Run = {
  loop: Loop
  work: WakeSignal
  signal: AbortSignal
  withinMs: number
  failed: (error: unknown) => void
}
