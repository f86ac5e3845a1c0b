import { expect, test } from 'vitest'
import { createLoops } from './loops.ts'

test('a loop is late after its deadline and the grace, until its next round or its end', () => {
  let now = 1_000
  const loops = createLoops(100, () => now)
  const [lane, poller] = [loops.open('lane'), loops.open('poller')]
  lane.comesWithin(50)
  poller.comesWithin(500)
  now += 150
  expect(loops.late()).toEqual([])
  now += 1
  expect(loops.late()).toEqual(['lane'])
  now += 450
  expect(loops.late()).toEqual(['lane', 'poller'])
  lane.comesWithin(10)
  poller.end()
  expect(loops.late()).toEqual([])
  expect(loops.count()).toBe(1)
})

test('a loop without any round is late too, and two loops of one name are separate', () => {
  let now = 0
  const loops = createLoops(10, () => now)
  loops.open('lane')
  loops.open('lane').comesWithin(1_000)
  now = 11
  expect(loops.late()).toEqual(['lane'])
  expect(loops.count()).toBe(2)
})
