// Slow: a second or more for each test, or five for the file.
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { sendToAll } from '../../../test/support/send.ts'
import type { Service } from '../../../test/support/service.ts'
import { createHandlers } from '../../handlers.ts'
import { claimDueReceipts } from '../ledger/requests.queries.ts'
import { fetchReceipts } from './receipts.ts'
import { sendBatches } from './submit.ts'

const { signal } = new AbortController()

test('receipts on demand are all asked for in one run, though their requests do not fill a question', async ({
  service,
  given,
}) => {
  await given.crowd(1_200)
  await sendInSixties(service)
  expect(await fetchReceipts(service.deps, { limit: 10_000, dueOnly: false }, signal)).toBe(1_200)
  expect(service.simulator.state().receiptRequests).toBe(2)
})

test('requests are claimed for one question also where another worker holds those that were counted', async ({
  service,
  deps: { db },
}) => {
  for (const user of await usersWithPhones(service, 5)) {
    await send(service, [user])
    await drain(service)
  }
  await sendInSixties(service)
  const now = new Date(service.clock.now())
  const claim = { home: 0, provider: 'expo', now, until: now, roundStart: now, tickets: 60, dueOnly: false }
  const claimed = await db.transaction().execute(async (tx) => {
    await sql`select from requests where next_receipt_at is not null
      order by next_receipt_at, request_id limit 5 for update`.execute(tx)
    return claimDueReceipts(db, claim)
  })
  expect(claimed.map(({ copies }) => copies.length)).toEqual([60])
})

async function sendInSixties({ deps, given }: Service): Promise<void> {
  const { userId: senderId } = await given.admin()
  const messageId = await sendToAll(deps, { title: 'To all', text: 'There' }, senderId)
  await createHandlers(deps).coordinate({ messageId }, signal)
  const sender = { ...deps, provider: { ...deps.provider, maxPushes: 60 } }
  while ((await sendBatches(sender, { home: 0, lane: 'campaign', limit: 32 })).batches > 0);
}
