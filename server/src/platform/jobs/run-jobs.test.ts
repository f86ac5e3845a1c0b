import { expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { enqueue } from './queue.ts'
import { workOn } from './run-jobs.ts'

test('a job that fails says why in the log, and the next one runs', async ({ service, deps }) => {
  const { queue, db } = deps
  const ran: number[] = []
  for (const limit of [1, 2])
    await enqueue({ queue, tx: db }, 'fetch-receipts', { limit, dueOnly: true }, String(limit))
  await workOn(deps, 'fetch-receipts', async ({ limit }) => {
    ran.push(limit)
    queue.wake(['fetch-receipts'])
    if (limit === 1) throw new Error('the provider moved')
  })
  onTestFinished(() => queue.boss.offWork('fetch-receipts'))
  await expect.poll(() => ran).toEqual([1, 2])
  expect(service.logged()).toMatch(
    /"err":.*the provider moved.*"job":"fetch-receipts","msg":"a job failed: fetch-receipts"/,
  )
})

test('jobs that wait behind another run at once, not with the next poll', async ({ deps }) => {
  const { queue, db } = deps
  const ran: number[] = []
  for (const limit of [1, 2, 3])
    await enqueue({ queue, tx: db }, 'fetch-receipts', { limit, dueOnly: true }, String(limit))
  await workOn(deps, 'fetch-receipts', async ({ limit }) => void ran.push(limit))
  onTestFinished(() => queue.boss.offWork('fetch-receipts'))
  await expect.poll(() => ran).toEqual([1, 2, 3])
})

test('after announcements that may have been missed every queue is looked at, not with the next poll', async ({
  deps,
}) => {
  const { queue, db } = deps
  const ran: number[] = []
  await enqueue({ queue, tx: db }, 'fetch-receipts', { limit: 1, dueOnly: true }, '1')
  await workOn(deps, 'fetch-receipts', async ({ limit }) => void ran.push(limit))
  onTestFinished(() => queue.boss.offWork('fetch-receipts'))
  await expect.poll(() => ran).toEqual([1])
  await queue.boss.insert('fetch-receipts', [{ data: { limit: 2, dueOnly: true }, singletonKey: '2' }])
  queue.wake()
  await expect.poll(() => ran).toEqual([1, 2])
})
