import { sleep } from '../shared/clock.ts'

export type Told = { wake(queues: string[]): void; notify(queues: string[]): Promise<void> }

const GAP_MS = 20

/** Nothing depends on it: a worker that misses an announcement finds the work by polling. */
export function createAnnouncer({ wake, notify }: Told) {
  const state: { asked: Set<string> | undefined; running: Promise<void> | undefined } = {
    asked: undefined,
    running: undefined,
  }
  const run = async () => {
    while (state.asked !== undefined) {
      const queues = [...state.asked]
      state.asked = undefined
      await notify(queues).catch(() => undefined)
      await sleep(GAP_MS)
    }
    state.running = undefined
  }
  return {
    /** Without a name: work that is only in rows. */
    announce: (...names: (string | undefined)[]) => {
      const queues = names.filter((name) => name !== undefined)
      wake(queues)
      state.asked = new Set([...(state.asked ?? []), ...queues])
      state.running ??= run()
    },
    close: async () => {
      state.asked = undefined
      await state.running
    },
  }
}
