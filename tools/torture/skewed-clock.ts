import { readFileSync } from 'node:fs'

// Loaded before a process of the service: its wall clock gets an offset from a file, which may change at any time. The
// monotonic clock and timers are unchanged, as when a machine's time is set.
const EVERY_MS = 100
const file = process.env['SKEW_FILE'] ?? ''
const readOffset = () => Number(readFileSync(file, 'utf8'))
const clock = { offsetMs: readOffset() }
const TrueDate = Date
const now = () => TrueDate.now() + clock.offsetMs

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as Date,
  get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
})

setInterval(() => {
  clock.offsetMs = readOffset()
}, EVERY_MS).unref()
