// Slow: a second or more for each test, or five for the file.
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { readCopies, expectTruth, send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { expectInvalid } from '../../../test/support/faults.ts'
import type { Service } from '../../../test/support/service.ts'
import { fetchJobs } from '../../../test/support/jobs.ts'

async function processReceipts({ app, given }: Service, query = '') {
  return app.inject({ url: `/api/admin/process-receipts${query}`, headers: (await given.admin()).headers })
}

describe('GET /api/admin/process-receipts', () => {
  test('fetches receipts in the background, without waiting for the 15 minutes', async ({ service }) => {
    const messageId = await send(service, await usersWithPhones(service, 2))
    await drain(service)
    const answer = await processReceipts(service)
    expect(answer.statusCode).toBe(202)
    expect(answer.json()).toEqual({ success: true, data: { limit: 1_000 }, message: 'Receipt processing started' })
    expect(await readCopies(service, messageId)).toMatchObject([{ is_delivered: null }, { is_delivered: null }])
    await drain(service)
    expect(await readCopies(service, messageId)).toMatchObject([{ is_delivered: true }, { is_delivered: true }])
  })

  test('is safe to repeat, and to call without anything to fetch', async ({ service, simulator }) => {
    const asked = simulator.state()
    for (const answer of await Promise.all([1, 2, 3].map(() => processReceipts(service))))
      expect(answer.statusCode).toBe(202)
    await drain(service)
    expect(simulator.state()).toEqual(asked)
  })

  test('asks for as many receipts as the limit says, and for the rest next time', async ({ service, clock }) => {
    const messageId = await send(service, await usersWithPhones(service, 7))
    await drain(service)
    const settled = async () =>
      (await readCopies(service, messageId)).filter((copy) => copy.is_delivered !== null).length
    for (const [limit, sum] of [
      [1, 1],
      [4, 5],
      [1, 6],
      [5, 7],
    ] as const) {
      await processReceipts(service, `?limit=${limit}`)
      await drain(service)
      expect(await settled()).toBe(sum)
      await clock.tick(10)
    }
    await expectTruth(service, messageId)
  })

  test('and receipts beyond its limit stay due by the schedule', async ({ service, deps, clock }) => {
    await send(service, await usersWithPhones(service, 3))
    await drain(service)
    const dueAt = async () =>
      deps.db.selectFrom('requests').select('next_receipt_at').orderBy('request_id', 'desc').execute()
    const [before] = await dueAt()
    await clock.tick(1_000)
    await processReceipts(service, '?limit=2')
    await drain(service)
    expect((await dueAt())[0]).toEqual(before)
  })

  test('asked for several times at once is as many runs, and none waits for another', async ({ service, deps }) => {
    await Promise.all(Array.from({ length: 3 }, () => processReceipts(service, '?limit=10')))
    expect(await fetchJobs(deps.queue, 'fetch-receipts', 10)).toHaveLength(3)
  })

  test.for([
    ['?limit=1', 1],
    ['?limit=10000', 10_000],
    ['?limit=10001', 10_000],
    ['?limit=9007199254740991', 10_000],
    ['?limit=', 1_000],
  ] as const)('%s means at most %i', async ([query, limit], { service }) => {
    expect((await processReceipts(service, query)).json()).toMatchObject({ data: { limit } })
    await drain(service)
  })

  test.for(['0', '-1', 'abc', '1.5', '1e3', '9007199254740993', '1&limit=2'])(
    'refuses a limit of “%s”',
    async (limit, { service }) => {
      expectInvalid(await processReceipts(service, `?limit=${limit}`), 'limit')
    },
  )
})
