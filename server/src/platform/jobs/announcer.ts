import { sleep } from '../shared/clock.ts'

/** Without a name: work that is only in rows. */
export type Announcer = { announce(queue?: string): void; close(): Promise<void> }

export type Told = { wake(queues: string[]): void; notify(queues: string[]): Promise<void> }

const GAP_MS = 20

/** Nothing depends on it: a worker that misses an announcement finds the work by polling. */
export function createAnnouncer({ wake, notify }: Told): Announcer {
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
    announce: (queue) => {
      const queues = queue === undefined ? [] : [queue]
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
