import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createAnnouncer } from './announcer.ts'

test('work is announced to the own process at once, and to others in one announcement', async () => {
  const here: string[][] = []
  const told: number[] = []
  const queues: string[][] = []
  const announcer = createAnnouncer({
    wake: (names) => void here.push(names),
    notify: async (names) => {
      queues.push(names)
      told.push(await Promise.resolve(performance.now()))
    },
  })
  for (let times = 0; times < 500; times++) announcer.announce(times % 2 === 0 ? undefined : `queue ${times % 3}`)
  expect(here).toHaveLength(500)
  // The others came while the first was being announced.
  await expect.poll(() => told.length).toBe(2)
  expect(queues).toEqual([[], ['queue 1', 'queue 0', 'queue 2']])
  await sleep(200)
  announcer.announce()
  announcer.announce()
  await expect.poll(() => told.length).toBe(4)
  await sleep(100)
  expect(told).toHaveLength(4)
  for (const [index, at] of told.entries()) expect(at - (told[index - 1] ?? 0)).toBeGreaterThan(15)
  await announcer.close()
})

test('an announcement that fails is dropped, and the next one is made', async () => {
  let tries = 0
  const announcer = createAnnouncer({
    wake: () => undefined,
    notify: () => {
      tries++
      return Promise.reject(new Error('the database is unreachable'))
    },
  })
  announcer.announce()
  await sleep(50)
  announcer.announce()
  await announcer.close()
  expect(tries).toBe(2)
})
