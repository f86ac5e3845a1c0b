import { expect, test } from 'vitest'
import { beginLoop } from '../../../test/support/loop.ts'
import { createLoops } from './loops.ts'

test('a loop is late after its deadline and the grace, until it is alive again or ends', async () => {
  let now = 1_000
  const loops = createLoops(100, () => now)
  const [lane, poller] = [beginLoop(loops, 'lane', 50), beginLoop(loops, 'poller', 500)]
  now += 150
  expect(loops.late()).toEqual([])
  now += 1
  expect(loops.late()).toEqual(['lane'])
  now += 450
  expect(loops.late()).toEqual(['lane', 'poller'])
  lane.isAlive()
  await poller.end()
  expect(loops.late()).toEqual([])
  expect(loops.count()).toBe(1)
  await lane.end()
})

test('two loops of one name are separate', async () => {
  let now = 0
  const loops = createLoops(10, () => now)
  const lanes = [beginLoop(loops, 'lane', 0), beginLoop(loops, 'lane', 1_000)]
  now = 11
  expect(loops.late()).toEqual(['lane'])
  expect(loops.count()).toBe(2)
  await Promise.all(lanes.map((lane) => lane.end()))
})
