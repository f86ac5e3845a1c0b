import { Worker } from 'node:worker_threads'
import type { Log } from '../shared/log.ts'

export type Watch = { beats: Int32Array; lookEveryMs: number; looks: number }

const LOOKS = 10

/** Ends a process whose event loop is blocked for `seconds`: it does not even react to SIGTERM. */
export function startWatchdog(seconds: number, log: Log): void {
  const lookEveryMs = (seconds * 1_000) / LOOKS
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const watch: Watch = { beats, lookEveryMs, looks: LOOKS }
  setInterval(() => Atomics.add(beats, 0, 1), lookEveryMs / 2).unref()
  const thread = new Worker(new URL('watchdog-thread.ts', import.meta.url), { workerData: watch, name: 'watchdog' })
  thread.unref()
  thread.on('error', (error) => log.error({ err: error }, 'the event loop watchdog has stopped'))
}
