import { Worker } from 'node:worker_threads'
import type { Log } from '../shared/log.ts'

/** What the watching thread gets: a counter that the event loop increments, and how often to check it. */
export type Watch = { beats: Int32Array; lookEveryMs: number; looks: number }

const LOOKS = 10

/**
 * Watches the event loop from another thread. When it is blocked for `seconds`, the process logs one line with the
 * stack and kills itself, because a blocked process does not even react to SIGTERM. The supervisor starts another, and
 * acknowledged work survives.
 */
export function startWatchdog(seconds: number, log: Log): void {
  const lookEveryMs = (seconds * 1_000) / LOOKS
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const watch: Watch = { beats, lookEveryMs, looks: LOOKS }
  setInterval(() => Atomics.add(beats, 0, 1), lookEveryMs / 2).unref()
  const thread = new Worker(new URL('watchdog-thread.ts', import.meta.url), { workerData: watch, name: 'watchdog' })
  thread.unref()
  thread.on('error', (error) => log.error({ err: error }, 'the event loop watchdog has stopped'))
}
