import { expect, test } from 'vitest'
import { createWakeSignal } from './wake-signal.ts'

const LONG_MS = 60_000

test('a signal wakes everyone who waits, and nobody who comes later', async () => {
  const work = createWakeSignal()
  const { signal } = new AbortController()
  const waiting = Promise.all([work.wait(LONG_MS, signal), work.wait(LONG_MS, signal)])
  work.wake()
  await waiting
  const late = work.wait(20, signal).then(() => 'by itself')
  expect(await Promise.race([late, Promise.resolve('at once')])).toBe('at once')
  expect(await late).toBe('by itself')
})

test('a wait ends when its signal aborts, before or meanwhile', async () => {
  const work = createWakeSignal()
  const ending = new AbortController()
  const waiting = work.wait(LONG_MS, ending.signal)
  ending.abort()
  await waiting
  await work.wait(LONG_MS, ending.signal)
})

test('a wake during the poll that a wait follows is not missed', async () => {
  const work = createWakeSignal()
  const { signal } = new AbortController()
  const before = work.wakes()
  work.wake()
  await work.wait(LONG_MS, signal, before)
  const late = work.wait(20, signal, work.wakes()).then(() => 'by itself')
  expect(await Promise.race([late, Promise.resolve('at once')])).toBe('at once')
  await late
})
