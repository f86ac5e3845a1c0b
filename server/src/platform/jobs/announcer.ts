import { sleep } from '../shared/clock.ts'

export type Listeners = { wake(queues: string[]): void; notify(queues: string[]): Promise<void> }

const GAP_MS = 20

/** Nothing depends on it: a worker that misses an announcement finds the work by polling. */
export function createAnnouncer({ wake, notify }: Listeners) {
  const state: { queues: Set<string> | undefined; running: Promise<void> | undefined } = {
    queues: undefined,
    running: undefined,
  }
  const run = async () => {
    while (state.queues !== undefined) {
      const queues = [...state.queues]
      state.queues = undefined
      await notify(queues).catch(() => undefined)
      await sleep(GAP_MS)
    }
    state.running = undefined
  }
  return {
    /** It has no name where the work is only in rows. */
    announce: (...names: (string | undefined)[]) => {
      const queues = names.filter((name) => name !== undefined)
      wake(queues)
      state.queues = new Set([...(state.queues ?? []), ...queues])
      state.running ??= run()
    },
    close: async () => {
      state.queues = undefined
      await state.running
    },
  }
}
