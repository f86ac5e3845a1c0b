import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { startQueue } from './queue.ts'

test('a queue whose name is no longer used has no schedule, and its jobs stay for the version before', async ({
  deps,
}) => {
  const { boss } = deps.queue
  await boss.createQueue('by-time', { policy: 'short' })
  await boss.schedule('by-time', '* * * * *', {})
  const id = await boss.send('by-time', {})
  expect(await boss.getSchedules('by-time')).toHaveLength(1)
  const queue = await startQueue({ url: deps.config.DATABASE_URL, works: false, log: deps.log })
  await queue.close()
  expect(await boss.getSchedules('by-time')).toEqual([])
  expect(await boss.findJobs('by-time')).toMatchObject([{ id, state: 'created' }])
})
