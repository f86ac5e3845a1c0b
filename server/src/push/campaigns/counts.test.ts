import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectTruth, send, usersWithPhones, sendToEveryone } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import type { Service } from '../../../test/support/service.ts'
import { claimBatches } from '../pipeline/claim.ts'
import { coordinate } from '../pipeline/coordinate.ts'
import { settle } from '../pipeline/settle.ts'
import { callAll } from '../../../test/support/attempt.ts'
import { rowsRead } from '../../../test/support/rows-read.ts'
import { withPlans } from '../../platform/db/planner.ts'
import { listUserCopies } from './recipients.queries.ts'

type Counts = {
  selected: number
  skipped: Record<string, number>
  notified: number
  waiting: number
  notifications: number
}

async function readCounts({ app, given }: Service, messageId: number): Promise<Counts> {
  const { headers } = await given.admin()
  const answer = await app.inject({ url: `/api/admin/promotional-notifications/${messageId}`, headers })
  const { counts } = answer.json<{ summary: { counts: Counts } }>().summary
  const skipped = Object.values(counts.skipped).reduce((sum, count) => sum + count, 0)
  expect(counts.selected).toBe(skipped + counts.notified + counts.waiting)
  return counts
}

test('the counts of a campaign add up while it is under way: who has no copy yet waits', async ({ service }) => {
  const { deps, given } = service
  await given.crowd(110)
  await given.user({ devices: [{}, {}, {}] })
  await given.user()
  const messageId = await sendToEveryone(service)
  expect(await readCounts(service, messageId)).toMatchObject({ selected: 0, notified: 0, waiting: 0 })

  await coordinate(deps, messageId, new AbortController().signal)
  const all = await readCounts(service, messageId)
  expect(all).toMatchObject({ notified: 0, waiting: 112, notifications: 0 })

  const claim = await claimBatches(deps, { home: 0, lane: 'campaign', limit: 1 })
  expect(await readCounts(service, messageId)).toMatchObject({ notified: 50, waiting: 62, notifications: 50 })
  await settle(deps, claim, await callAll(service, claim))
  await drain(service)
  expect(await readCounts(service, messageId)).toMatchObject({ notified: 111, waiting: 0, notifications: 113 })
  await expectTruth(service, messageId)
})

test('a message to one person keeps one row of counts, whatever becomes of it', async ({ service, given, deps }) => {
  const user = await given.user({ devices: [{}] })
  const messageId = await send(service, [user])
  await drain(service)
  const ofMessage = sql<boolean>`message_id = ${messageId}`
  const notifications = deps.db.selectFrom('notifications').select('notification_id').where(ofMessage)
  const copy = await notifications.executeTakeFirstOrThrow()
  const url = `/api/notification/${copy.notification_id}/read`
  expect((await service.app.inject({ url, headers: user.headers })).statusCode).toBe(200)
  const rows = await deps.db
    .selectFrom('message_counts')
    .select(['selected', 'sent', 'opened'])
    .where(ofMessage)
    .execute()
  expect(rows).toEqual([{ selected: 1, sent: 1, opened: 1 }])
  await expectTruth(service, messageId)
})

test('the copies that a page of somebody’s messages shows are found without those of all the others', async ({
  service,
  deps,
}) => {
  const [user] = await usersWithPhones(service, 1)
  const messageIds = []
  for (let n = 0; n < 20; n++) messageIds.push(await send(service, [user!]))
  await drain(service)
  const page = messageIds.slice(3, 4)
  expect(await listUserCopies(deps.db, user!.userId, page)).toMatchObject([{ message_id: page[0] }])
  const read = await rowsRead(deps.db, ['batches', 'entries'], (tx) =>
    withPlans(tx, 'by index', () => listUserCopies(tx, user!.userId, page)),
  )
  expect(read).toBeLessThan(10)
})
