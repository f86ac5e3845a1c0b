import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSlots } from './slots.ts'

test('a transactional request that waits goes before every waiting campaign', async () => {
  const slots = createSlots(1)
  const first = await slots.take('campaign')
  const order: string[] = []
  const waiting = (['campaign', 'transactional', 'campaign', 'transactional'] as const).map(async (lane) => {
    const give = await slots.take(lane)
    order.push(lane)
    give()
  })
  first()
  await Promise.all(waiting)
  expect(order).toEqual(['transactional', 'transactional', 'campaign', 'campaign'])
})

test('never more than its size are taken at once, and all that wait get their turn', async () => {
  const lanes = fc.array(fc.constantFrom('campaign' as const, 'transactional' as const), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), lanes, async (size, wishes) => {
      const slots = createSlots(size)
      let taken = 0
      let served = 0
      await Promise.all(
        wishes.map(async (lane) => {
          const give = await slots.take(lane)
          taken++
          expect(taken).toBeLessThanOrEqual(size)
          await Promise.resolve()
          taken--
          served++
          give()
        }),
      )
      expect(served).toBe(wishes.length)
    }),
  )
})
