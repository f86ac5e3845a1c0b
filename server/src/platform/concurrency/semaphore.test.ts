import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

test('a waiting urgent task goes before all other waiting tasks', async () => {
  const places = createSemaphore(1)
  const first = Promise.withResolvers<void>()
  const order: string[] = []
  const running = places.run(() => first.promise)
  const waiting = [false, true, false, true].map((isUrgent) =>
    places.run(async () => order.push(isUrgent ? 'urgent' : 'other'), { isUrgent }),
  )
  first.resolve()
  await Promise.all([running, ...waiting])
  expect(order).toEqual(['urgent', 'urgent', 'other', 'other'])
})

test('never more than its size are taken at once, and every waiting task gets its turn', async () => {
  const tasks = fc.array(fc.boolean(), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), tasks, async (size, wishes) => {
      const places = createSemaphore(size)
      let taken = 0
      let served = 0
      const work = async () => {
        taken++
        expect(taken).toBeLessThanOrEqual(size)
        await Promise.resolve()
        taken--
        served++
      }
      await Promise.all(wishes.map((isUrgent) => places.run(work, { isUrgent })))
      expect(served).toBe(wishes.length)
    }),
  )
})

test('when too many wait, the next is refused, and a free place goes to a waiting task', async () => {
  const places = createSemaphore(1, 1)
  const first = Promise.withResolvers<void>()
  const running = places.run(() => first.promise)
  const second = places.run(() => Promise.resolve('second'))
  await expect(places.run(() => Promise.resolve('third'))).rejects.toMatchObject({ status: 503 })
  first.resolve()
  await running
  expect(await second).toBe('second')
  await expect(places.run(() => Promise.resolve('fourth'))).resolves.toBe('fourth')
})

test('a place is given back when the work fails', async () => {
  const places = createSemaphore(1, 0)
  await expect(places.run(() => Promise.reject(new Error('the work failed')))).rejects.toThrow('the work failed')
  await expect(places.run(() => Promise.resolve('done'))).resolves.toBe('done')
})
