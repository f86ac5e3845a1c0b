import { expect, test } from 'vitest'
import { createContact } from './contact.ts'

function held() {
  const time = { now: 1_000 }
  const contact = createContact(() => time.now)
  const isSteady = async (ms: number) => {
    const signal = AbortSignal.timeout(150)
    return contact.steadyFor(ms, signal)
  }
  return { time, contact, isSteady }
}

test('a process that never reached the database, or just did, is not steady', async () => {
  const { time, contact, isSteady } = held()
  expect(await isSteady(10)).toBe(false)
  contact.noteContact()
  expect(await isSteady(1_000)).toBe(false)
  time.now += 1_000
  contact.noteContact()
  expect(await isSteady(1_000)).toBe(true)
})

test.for<[string, (now: { now: number }, lost: () => void) => void]>([
  ['an outage', (_, lost) => lost()],
  ['a time in which nobody asked, as when the machine stood still', (time) => void (time.now += 6_000)],
])('%s starts the steady time again', async ([, happens]) => {
  const { time, contact, isSteady } = held()
  contact.noteContact()
  for (let second = 0; second < 20; second++) {
    time.now += 1_000
    contact.noteContact()
  }
  expect(await isSteady(15_000)).toBe(true)
  happens(time, contact.lost)
  expect(await isSteady(1)).toBe(false)
  contact.noteContact()
  expect(await isSteady(1_000)).toBe(false)
  time.now += 1_000
  contact.noteContact()
  expect(await isSteady(1_000)).toBe(true)
})
