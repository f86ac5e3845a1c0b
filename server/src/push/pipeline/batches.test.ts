// Slow: a second or more for each test, or five for the file.
import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { callAll, claimAll } from '../../../test/support/attempt.ts'
import { readCopies, expectTruth, send, sendToEveryone, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { storedCounts } from '../../../test/support/ledger.ts'
import type { Service } from '../../../test/support/service.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { insertBatches } from '../ledger/ledger.queries.ts'
import { coordinate } from './coordinate.ts'
import { createSettledClaims } from './kept-tickets.ts'
import { retrySettling, settle } from './settle.ts'
import { sendBatches } from './submit.ts'

describe('a batch lists its users once and in the order of their ids', () => {
  const listed = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 300 })

  test('however they were listed', async ({ service }) => {
    const [messageId, other] = [await emptyMessage(service), await emptyMessage(service)]
    await fc.assert(
      fc.asyncProperty(listed, fc.boolean(), async (userIds, several) => {
        const { deps } = service
        await deps.db.deleteFrom('batches').execute()
        const now = fromNow(deps.clock)
        const asked = { messageId, userIds, dueAt: now }
        await inTransaction(deps.db, (tx) =>
          insertBatches(tx, several ? [asked, { messageId: other, userIds: [9, 8, 9], dueAt: now }] : [asked], now),
        )
        const batches = await readBatches(service, messageId)
        expect(batches.flat()).toEqual([...new Set(userIds)].toSorted((a, b) => a - b))
        expect(batches.slice(0, -1).every((users) => users.length === 50)).toBe(true)
        if (several) expect(await readBatches(service, other)).toEqual([[8, 9]])
      }),
      { numRuns: 30 },
    )
    await service.deps.db.deleteFrom('messages').execute()
  })

  test('and if a stored batch does not, no user is skipped', async ({ service, deps }) => {
    const users = await usersWithPhones(service, 5)
    const messageId = await send(service, users)
    const [a, b, c, d, e] = users.map((user) => user.userId)
    await deps.db
      .updateTable('batches')
      .set({ user_ids: [c!, a!, e!, b!, d!] })
      .where('message_id', '=', messageId)
      .execute()
    await drain(service)
    expect(await readCopies(service, messageId)).toHaveLength(5)
    expect(await storedCounts(service, messageId)).toMatchObject({ skipped: 0, notified: 5 })
    await expectTruth(service, messageId)
  })
})

test('a person with more phones than a batch has places takes nobody else’s push: the latest twenty ring', async ({
  service,
  given,
}) => {
  const many = await given.user()
  await service.deps.pool.query(
    `insert into mobile_devices (user_id, session_id, token, device_id, platform, last_registered_at)
     select $1, session_id, 'ExponentPushToken[many' || n || ']', 'many' || n, 'ios', now()
     from sessions, generate_series(1, 1024) n where user_id = $1`,
    [many.userId],
  )
  const messageId = await send(service, [many, ...(await usersWithPhones(service, 1))])
  await drain(service)
  expect(await readCopies(service, messageId)).toHaveLength(21)
  expect(await storedCounts(service, messageId)).toMatchObject({ notified: 2, sent: 21 })
  await expectTruth(service, messageId)
})

test('copies of a batch that are answered at more moments than it can name have a time each, the latest their own', async ({
  service,
  given,
  clock,
}) => {
  const devices = Array.from({ length: 20 }, () => ({}))
  const users = await Promise.all(Array.from({ length: 13 }, () => given.user({ devices })))
  const messageId = await send(service, users)
  const claim = await claimAll(service, messageId)
  for (const { request, outcomes, ...answer } of await callAll(service, claim))
    for (const [n, push] of request.entries()) {
      await clock.tick(10)
      await settle(service.deps, claim, [{ ...answer, request: [push], outcomes: outcomes.slice(n, n + 1) }])
    }
  const copies = await service.deps.db
    .selectFrom('notifications')
    .select(['sent_at', 'updated_at'])
    .where('message_id', '=', messageId)
    .orderBy('notification_id')
    .execute()
  expect(copies).toHaveLength(260)
  expect(copies).toEqual(
    copies.map(() => ({ sent_at: expect.any(Date) as Date, updated_at: expect.any(Date) as Date })),
  )
  expect(copies.at(-1)?.sent_at).toEqual(new Date(clock.now()))
})

test('requests of one batch that are answered at once are all stored', async ({ service, given }) => {
  const devices = Array.from({ length: 20 }, () => ({}))
  const users = await Promise.all(Array.from({ length: 13 }, () => given.user({ devices })))
  const messageId = await send(service, users)
  const claim = await claimAll(service, messageId)
  const answers = await callAll(service, claim)
  expect(answers).toHaveLength(3)
  await Promise.all(answers.map((answer) => settle(service.deps, claim, [answer])))
  expect(await storedCounts(service, messageId)).toMatchObject({ notifications: 260, notified: 13, sent: 260 })
  await expectTruth(service, messageId)
})

test('a claim of which the database lost one request: the answers to the others are stored', async ({
  service,
  deps,
}) => {
  const messageId = await send(service, await usersWithPhones(service, 2))
  const one = { ...service, deps: { ...deps, provider: { ...deps.provider, maxPushes: 1 } } }
  const claim = await claimAll(one, messageId)
  const answers = await callAll(service, claim)
  await deps.db.deleteFrom('requests').where('request_id', '=', claim.requests[1]![0]!.requestId).execute()
  await settle(deps, claim, answers)
  expect(await readCopies(service, messageId)).toMatchObject([{ is_send: true }, { is_send: false }])
  expect(await storedCounts(service, messageId)).toMatchObject({ sent: 1, possible_duplicates: 1 })
})

test('a remembered claim that cannot be stored once more keeps no other from it', async ({ service, deps, clock }) => {
  const messageId = await send(service, await usersWithPhones(service, 2))
  const claim = await claimAll(service, messageId)
  const answers = await callAll(service, claim)
  const settled = createSettledClaims(clock)
  settled.add({ claim, answers: answers.map((answer) => ({ ...answer, request: [] })) })
  settled.add({ claim, answers })
  await retrySettling({ ...deps, settled })
  expect(await storedCounts(service, messageId)).toMatchObject({ sent: 2 })
})

test('a claim is sent although what it takes of the pace cannot be stored', async ({ service, deps }) => {
  const messageId = await send(service, await usersWithPhones(service, 2))
  const config = { ...deps.config, PUSH_RATE_PER_SECOND: 100 }
  await sendBatches({ ...deps, config }, { home: 0, lane: 'campaign', limit: 1 }, Number.MAX_VALUE)
  expect(await storedCounts(service, messageId)).toMatchObject({ sent: 2, possible_duplicates: 0 })
})

test('a page of a campaign writes its batches before it locks counters, which claims wait for', async ({
  service,
  deps,
}) => {
  await usersWithPhones(service, 2)
  const messageId = await sendToEveryone(service)
  const told: string[] = []
  const db = deps.db.withPlugin({
    transformQuery: ({ node }) => {
      if (node.kind === 'RawNode') told.push(node.sqlFragments.join(''))
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await coordinate({ ...deps, db }, messageId, new AbortController().signal)
  const place = (text: string) => told.findIndex((statement) => statement.includes(text))
  expect(place('insert into batches')).toBeGreaterThan(-1)
  expect(place('insert into batches')).toBeLessThan(place('insert into message_counts'))
})

async function emptyMessage(service: Service): Promise<number> {
  return send(service, [await service.given.user()])
}

async function readBatches({ deps }: Service, messageId: number): Promise<number[][]> {
  const batches = deps.db.selectFrom('batches').select('user_ids').where('message_id', '=', messageId)
  return (await batches.orderBy('batch_id').execute()).map((batch) => batch.user_ids)
}
