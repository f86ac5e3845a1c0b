import { expect, test } from 'vitest'
import { createBell } from './bell.ts'

const LONG_MS = 60_000

test('a bell wakes everyone who waits, and nobody who comes later', async () => {
  const bell = createBell()
  const { signal } = new AbortController()
  const waiting = Promise.all([bell.wait(LONG_MS, signal), bell.wait(LONG_MS, signal)])
  bell.ring()
  await waiting
  const late = bell.wait(20, signal).then(() => 'by itself')
  expect(await Promise.race([late, Promise.resolve('at once')])).toBe('at once')
  expect(await late).toBe('by itself')
})

test('a wait ends when its signal aborts, before or meanwhile', async () => {
  const bell = createBell()
  const ending = new AbortController()
  const waiting = bell.wait(LONG_MS, ending.signal)
  ending.abort()
  await waiting
  await bell.wait(LONG_MS, ending.signal)
})

test('a ring during the look that a wait follows is not missed', async () => {
  const bell = createBell()
  const { signal } = new AbortController()
  const before = bell.rings()
  bell.ring()
  await bell.wait(LONG_MS, signal, before)
  const late = bell.wait(20, signal, bell.rings()).then(() => 'by itself')
  expect(await Promise.race([late, Promise.resolve('at once')])).toBe('at once')
  await late
})
