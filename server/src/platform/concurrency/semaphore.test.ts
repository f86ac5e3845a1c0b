import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

test('a waiting urgent task goes before all other waiting tasks', async () => {
  const places = createSemaphore(1)
  const first = await places.take()
  const order: string[] = []
  const waiting = [false, true, false, true].map(async (isUrgent) => {
    const give = await places.take({ isUrgent })
    order.push(isUrgent ? 'urgent' : 'other')
    give()
  })
  first()
  await Promise.all(waiting)
  expect(order).toEqual(['urgent', 'urgent', 'other', 'other'])
})

test('never more than its size are taken at once, and every waiting task gets its turn', async () => {
  const tasks = fc.array(fc.boolean(), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), tasks, async (size, wishes) => {
      const places = createSemaphore(size)
      let taken = 0
      let served = 0
      await Promise.all(
        wishes.map(async (isUrgent) => {
          const give = await places.take({ isUrgent })
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

test('when too many wait, the next is refused, and a free place goes to a waiting task', async () => {
  const places = createSemaphore(1, 1)
  const give = await places.take()
  const second = places.take()
  await expect(places.take()).rejects.toMatchObject({ status: 503 })
  give()
  ;(await second)()
  await expect(places.take()).resolves.toBeTypeOf('function')
})

test('a place is given back when the work fails', async () => {
  const places = createSemaphore(1, 0)
  await expect(places.run(() => Promise.reject(new Error('the work failed')))).rejects.toThrow('the work failed')
  await expect(places.run(() => Promise.resolve('done'))).resolves.toBe('done')
})
