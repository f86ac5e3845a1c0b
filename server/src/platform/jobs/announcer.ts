import { sleep } from '../shared/clock.ts'
import type { Bell } from './bell.ts'

/** Announces work to this process and to the others. */
export type Announcer = { announce(): void; close(): Promise<void> }

// Announcements within this time are sent together.
const GAP_MS = 20

/**
 * Wakes this process at once, and has `notify` tell the others at most every 20 ms. Nothing depends on it: a worker
 * that misses it polls within a second.
 */
export function createAnnouncer(notify: () => Promise<void>, announced: Bell): Announcer {
  const state: { isAsked: boolean; running: Promise<void> | undefined } = { isAsked: false, running: undefined }
  const run = async () => {
    while (state.isAsked) {
      state.isAsked = false
      await notify().catch(() => undefined)
      await sleep(GAP_MS)
    }
    state.running = undefined
  }
  return {
    announce: () => {
      announced.ring()
      state.isAsked = true
      state.running ??= run()
    },
    close: async () => {
      state.isAsked = false
      await state.running
    },
  }
}
