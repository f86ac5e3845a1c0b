// Slow: a second or more for each test, or five for the file.
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { calmDown, send, sendToEveryone, untilRetry, usersWithPhones } from '../../../test/support/campaign.ts'
import { phone, register } from '../../../test/support/devices.ts'
import { drain } from '../../../test/support/drain.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { storedCounts } from '../../../test/support/ledger.ts'
import type { Service } from '../../../test/support/service.ts'
import { purgeUsers } from '../../administration/accounts/purge.ts'
import { createHandlers } from '../../handlers.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { checkBadges } from '../badges/check.ts'
import { findBadge } from '../badges/badges.ts'
import { runChores } from '../../platform/shared/chores.ts'
import { deletedSince } from '../campaigns/campaigns.queries.ts'
import { listEntries } from '../inbox/entries.queries.ts'
import { listUnread } from '../inbox/inbox.queries.ts'
import { deleteBatches } from '../ledger/ledger.queries.ts'
import { deleteRequests } from '../ledger/requests.queries.ts'
import { deleteMessages } from '../records/messages.queries.ts'
import { retentionChores, retentionCommand } from './retention.ts'

const DAY_MS = 86_400_000
const { signal } = new AbortController()

test('transactional messages go a year after their notifications; campaigns, inboxes, badges and insights stay', async ({
  service,
}) => {
  const people = await usersWithPhones(service, 3)
  const toOne = await send(service, [people[0]!], { promotional: false })
  const toMany = await send(service, people, { promotional: false })
  const campaign = await send(service, people)
  await drain(service)
  await later(service, 1)
  const counts = await storedCounts(service, campaign)
  const counted = await pushCounts(service)
  await later(service, 130)
  expect(await readIds(service)).toEqual([toOne, toMany, campaign])

  await later(service, 300)
  // Their sessions, and with them their phones, ended months ago.
  for (const person of people) await signInAnew(service, person)
  const lately = await send(service, people, { promotional: false, title: 'Lately' })
  await drain(service)
  await later(service, 64)
  expect(await readIds(service)).toEqual([toOne, toMany, campaign, lately])
  const sentSince = await pushCounts(service)
  const inboxes = await Promise.all(people.map((person) => readInbox(service, person)))
  expect(await dryRun(service)).toContain('No messages are deleted.')
  await service.clock.setTime(service.clock.now() + 2 * DAY_MS)
  expect(await dryRun(service)).toMatch(/Deleted from before \d{4}-\d\d-01: 2 messages to named users/)
  expect(await readIds(service)).toEqual([toOne, toMany, campaign, lately])
  await later(service, 0)
  expect(await readIds(service)).toEqual([campaign, lately])
  expect(await dryRun(service)).toContain('No messages are deleted.')

  expect(await storedCounts(service, campaign)).toEqual(counts)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from message_counts where message_id in (${toOne}, ${toMany})`.execute(service.deps.db)
  expect(rows).toEqual([{ n: 0 }])
  expect(await Promise.all(people.map((person) => readInbox(service, person)))).toEqual(inboxes)
  expect(inboxes.flat()).toHaveLength(3)
  expect(await checkBadges(service.deps, signal)).toMatchObject({ wrong: 0 })
  expect(await pushCounts(service)).toEqual(sentSince)
  expect(sentSince.sent - counted.sent).toBe(3)
  const { headers } = await service.given.admin()
  const report = (id: number) => service.app.inject({ url: `/api/admin/notifications/${id}`, headers })
  expect([(await report(toOne)).statusCode, (await report(lately)).statusCode]).toEqual([404, 200])
})

test('a message whose entry was made in a later month stays with its copies as long as that entry', async ({
  service,
}) => {
  const { clock, deps } = service
  const now = new Date(clock.now())
  const dayOn = (months: number, day: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day)
  const [person] = (await usersWithPhones(service, 1)) as [GivenUser]
  await clock.setTime(dayOn(1, 1) - 60_000)
  const messageId = await send(service, [person], { promotional: false })
  await clock.setTime(dayOn(1, 1) + 60_000)
  await drain(service)
  const config = { ...deps.config, RETENTION_DAYS: 31, RETENTION_MESSAGE_DAYS: 1 }
  const keepLess = async (moment: number) => {
    await clock.setTime(moment)
    await runChores(deps.log, retentionChores({ ...deps, config }, signal))
  }
  for (const day of [5, 7]) await keepLess(dayOn(2, day))
  expect(await listUnread(deps.pool, person.userId, 10)).toMatchObject({ entries: [{}], unread: 1 })
  expect([await readInbox(service, person), await findBadge(deps.db, person.userId)]).toMatchObject([
    [messageId],
    { total: 1 },
  ])
  for (const day of [5, 7]) await keepLess(dayOn(3, day))
  expect([await readInbox(service, person), await findBadge(deps.db, person.userId)]).toMatchObject([[], { total: 0 }])
  expect(await readIds(service)).not.toContain(messageId)
  const { rows } = await sql`select from batches where message_id = ${messageId}`.execute(deps.db)
  expect(rows).toEqual([])
})

test('copies of a campaign that was over in a later month stay with its entries', async ({ service }) => {
  const { clock, deps } = service
  const now = new Date(clock.now())
  const dayOn = (months: number, day: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day)
  const [person] = (await usersWithPhones(service, 1)) as [GivenUser]
  await clock.setTime(dayOn(1, 1) - 60_000)
  const messageId = await sendToEveryone(service)
  await createHandlers(deps).coordinate({ messageId }, signal)
  await clock.setTime(dayOn(1, 1) + 60_000)
  await drain(service)
  const second = await send(service, [person])
  await drain(service)
  const config = { ...deps.config, RETENTION_DAYS: 31 }
  const keepLess = async (moment: number) => {
    await clock.setTime(moment)
    await runChores(deps.log, retentionChores({ ...deps, config }, signal))
  }
  await keepLess(dayOn(2, 7))
  const isDeleted = sql<{ yes: boolean }>`
    select ${deletedSince()} is not null as yes from messages m where message_id = ${messageId}`
  const kept = await listUnread(deps.pool, person.userId, 10)
  expect([kept.unread, kept.entries.length]).toEqual([2, 2])
  expect((await isDeleted.execute(deps.db)).rows).toEqual([{ yes: false }])
  await keepLess(dayOn(3, 7))
  expect((await isDeleted.execute(deps.db)).rows).toEqual([{ yes: true }])
  expect(await listUnread(deps.pool, person.userId, 10)).toEqual({ entries: [], unread: 0 })
  const { rows } = await sql`select from batches where message_id in (${messageId}, ${second})`.execute(deps.db)
  expect(rows).toEqual([])
})

test.for(['everyone', 'one person'])(
  'a purge finds the copies of a message to %s that was over in a later month',
  async (to, { service }) => {
    const { clock, deps } = service
    const now = new Date(clock.now())
    const dayOn = (months: number, day: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day)
    const [person] = (await usersWithPhones(service, 1)) as [GivenUser]
    await clock.setTime(dayOn(1, 1) - 60_000)
    const messageId =
      to === 'everyone' ? await sendToEveryone(service) : await send(service, [person], { promotional: false })
    if (to === 'everyone') await createHandlers(deps).coordinate({ messageId }, signal)
    service.simulator.script([{ match: 'send', status: 429 }])
    await drain(service)
    await untilRetry(service)
    await calmDown(service)
    await drain(service)
    await clock.setTime(dayOn(2, 7))
    const config = { ...deps.config, RETENTION_DAYS: 31 }
    await runChores(deps.log, retentionChores({ ...deps, config }, signal))
    const readPeople = async () => {
      const batches = sql<{ user_ids: number[] }>`select user_ids from batches where message_id = ${messageId}`
      return (await batches.execute(deps.db)).rows.flatMap((row) => row.user_ids)
    }
    expect(await readPeople()).toContain(person.userId)
    const at = new Date(clock.now())
    await sql`update users set deleted_at = ${at}, purge_after = ${at} where user_id = ${person.userId}`.execute(
      deps.db,
    )
    expect(await purgeUsers(deps, signal)).toBe(1)
    expect(await readPeople()).not.toContain(person.userId)
  },
)

test('promotional messages, which stay, do not use up a step', async ({ service }) => {
  const people = await usersWithPhones(service, 1)
  const before = new Date(service.clock.now() + DAY_MS)
  const stays = await send(service, people)
  await send(service, people)
  const goes = await send(service, people, { promotional: false })
  await drain(service)
  for (const table of ['batches', 'entries'] as const) await service.deps.db.deleteFrom(table).execute()
  const step = { after: stays - 1, before, limit: 1 }
  expect(await inTransaction(service.deps.db, (tx) => deleteMessages(tx, step))).toMatchObject({ last: goes })
  const left = await readIds(service)
  expect([left.includes(stays), left.includes(goes)]).toEqual([true, false])
})

test('requests and batches that stay for longer do not end a run', async ({ service }) => {
  const { db } = service.deps
  const people = await usersWithPhones(service, 1)
  await send(service, people)
  const [{ batch_id: batchId }] = (await db
    .selectFrom('batches')
    .select('batch_id')
    .orderBy('batch_id', 'desc')
    .execute()) as [{ batch_id: number }]
  const before = new Date(service.clock.now() + DAY_MS)
  expect(await deleteBatches(db, 0, { after: batchId - 1, before, limit: 1 })).toBe(batchId)
  await drain(service)
  const [{ request_id: requestId }] = (await db
    .selectFrom('requests')
    .select('request_id')
    .orderBy('request_id', 'desc')
    .execute()) as [{ request_id: number }]
  expect(await deleteRequests(db, 0, { after: requestId - 1, before, limit: 1 })).toBe(requestId)
  expect(await deleteRequests(db, 0, { after: requestId, before, limit: 1 })).toBeNull()
  expect(await readBoth(service, requestId, batchId)).toEqual([1, 1])
})

async function readBoth({ deps: { db } }: Service, requestId: number, batchId: number): Promise<number[]> {
  const requests = await db.selectFrom('requests').select('request_id').where('request_id', '=', requestId).execute()
  const batches = await db.selectFrom('batches').select('batch_id').where('batch_id', '=', batchId).execute()
  return [requests.length, batches.length]
}

async function signInAnew(service: Service, person: GivenUser): Promise<void> {
  const { token } = await service.deps.sessions.open({ userId: person.userId })
  const headers = { authorization: `Bearer ${token}` }
  expect((await register(service, { ...person, headers }, phone())).statusCode).toBe(200)
}

async function later({ deps, clock }: Service, days: number): Promise<void> {
  await clock.setTime(clock.now() + days * DAY_MS)
  const handlers = createHandlers(deps)
  await handlers['fetch-receipts']({ limit: 1_000, dueOnly: false }, signal)
  await handlers.retention({}, signal)
}

async function dryRun({ deps }: Service): Promise<string> {
  return (await retentionCommand.run(deps, { 'dry-run': 'yes' })).text
}

async function readIds({ deps }: Service): Promise<number[]> {
  const messages = await deps.db.selectFrom('messages').select('message_id').orderBy('message_id').execute()
  return messages.map(({ message_id }) => message_id)
}

async function readInbox({ deps }: Service, { userId }: GivenUser): Promise<number[]> {
  const entries = await listEntries(
    deps.db,
    userId,
    { isUnread: false, isArchived: false, kind: undefined },
    { after: undefined, limit: 100 },
  )
  return entries.map(({ message_id }) => message_id)
}

async function pushCounts({ deps }: Service): Promise<{ sent: number }> {
  const { rows } = await sql<{ sent: number }>`select sum(sent)::int as sent from push_counts`.execute(deps.db)
  return rows[0]!
}
