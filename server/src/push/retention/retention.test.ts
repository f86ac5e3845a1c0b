// Slow: a second or more for each test, or five for the file.
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { send, usersWithPhones } from '../../../test/support/campaign.ts'
import { commitWork } from '../../../test/support/commit.ts'
import { drain } from '../../../test/support/drain.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { storedCounts } from '../../../test/support/ledger.ts'
import { watchPlans } from '../../../test/support/plans.ts'
import type { Service } from '../../../test/support/service.ts'
import { createHandlers } from '../../handlers.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { checkBadges } from '../badges/check.ts'
import { findBadge } from '../badges/badges.ts'
import { listEntries, type InboxRow } from '../inbox/entries.queries.ts'
import { readEntry, readUpTo } from '../inbox/reading.ts'
import { recountPushes } from '../records/push-counts.ts'
import {
  deleteBulkEntries,
  deleteEntries,
  insertEntries,
  listOldBulkEntries,
  listOldEntries,
} from '../ledger/entries.queries.ts'
import { listLettingsGo } from './deleted-months.queries.ts'
import { keptFrom, retentionCommand } from './retention.ts'

const DAY_MS = 86_400_000
const ALL = { isUnread: false, isArchived: false, kind: undefined }
const UNREAD = { ...ALL, isUnread: true }
const RUNS = 3
const { signal } = new AbortController()

type Step = { act: 'push' | 'campaign' | 'open' | 'read all' | 'days'; who: 0 | 1 | 2; pick: number }

const step: fc.Arbitrary<Step> = fc.record({
  act: fc.constantFrom('push', 'campaign', 'open', 'read all', 'days', 'days', 'days'),
  who: fc.constantFrom(0, 1, 2),
  pick: fc.nat(1_000),
})

describe('the retention of notifications', () => {
  test('leaves what it keeps as it was: badges, inboxes page by page, and the counters of all messages', async ({
    service,
  }) => {
    const history = fc.array(step, { minLength: 12, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const people = await usersWithPhones(service, 3)
        const messages: number[] = []
        for (const one of steps) messages.push(...(await act(service, people, one)))
        await createHandlers(service.deps)['fetch-receipts']({ limit: 1_000, dueOnly: false }, signal)
        const before = await seenBy(service, people, messages)
        await retain(service)
        await drain(service)
        const from = await keptFrom(service.deps.db)
        const isKept = ({ at }: InboxRow) => from === undefined || at >= from.getTime() * 1_000
        const after = await seenBy(service, people, messages)
        expect(after.counts).toEqual(before.counts)
        expect(after.inboxes).toEqual(before.inboxes.map((entries) => entries.filter(isKept)))
        expect(after.unread).toEqual(
          before.inboxes.map((entries) => entries.filter((entry) => isKept(entry) && !entry.is_read).length),
        )
        expect(await checkBadges(service.deps, signal)).toMatchObject({ wrong: 0 })
      }),
      { numRuns: RUNS },
    )
    const gone = (await listLettingsGo(service.deps.db)).filter(({ deletedAt }) => deletedAt !== null)
    expect(gone.length).toBeGreaterThan(0)
  })

  test('says when the recipients of a message were deleted, and keeps its counts', async ({ service }) => {
    const { app, deps, clock } = service
    const people = await usersWithPhones(service, 2)
    const noPhone = await service.given.user()
    const messageId = await send(service, [...people, noPhone])
    await drain(service)
    const report = async () => {
      const { headers } = await service.given.admin()
      return (await app.inject({ url: `/api/admin/promotional-notifications/${messageId}`, headers })).json()
    }
    const toldTo = async ({ userId }: GivenUser) => {
      const { headers } = await service.given.admin()
      return (await app.inject({ url: `/api/admin/users/${userId}/notifications`, headers })).json()
    }
    const before = await report()
    expect(before.summary).toMatchObject({ notifications_deleted_at: null, counts: { notifications: 2, sent: 2 } })
    expect((await toldTo(noPhone)).data).toMatchObject([{ outcome: 'skipped', skip_reason: 'no_device' }])
    await clock.setTime(clock.now() + DAY_MS)
    await retain(service)
    const { summary } = await report()
    const counted = await pushCounts(service)
    await clock.setTime(clock.now() + 130 * DAY_MS)
    await retain(service)
    const after = await report()
    expect(after).toMatchObject({ data: [], pagination: { total_items: 0 }, summary: { counts: summary.counts } })
    expect(after.summary.notifications_deleted_at).toBe(new Date(clock.now()).toISOString())
    for (const user of [people[0]!, noPhone]) {
      const told = await toldTo(user)
      expect(told).toMatchObject({ data: [], pagination: { total_items: 0 } })
      expect(Date.parse(told.notifications_kept_from)).toBeGreaterThan(Date.parse(after.summary.created_at))
    }
    for (const table of ['batches', 'skips'] as const)
      expect(
        await deps.db.selectFrom(table).select('message_id').where('message_id', '=', messageId).execute(),
      ).toEqual([])
    const { rows } = await sql`select from requests where started_at < ${new Date(clock.now() - 125 * DAY_MS)}`.execute(
      deps.db,
    )
    expect(rows).toEqual([])
    // Counts by time cannot be recounted from deleted rows, so they stay.
    await recountPushes(deps, { from: new Date(0), to: new Date(clock.now()) })
    expect(await pushCounts(service)).toEqual(counted)
  })

  test('looks for entries only until all of a month are deleted, because they have no index by time', async ({
    service,
  }) => {
    const { clock } = service
    await send(service, await usersWithPhones(service, 2))
    await drain(service)
    await clock.setTime(clock.now() + 130 * DAY_MS)
    const watch = await watchPlans(service)
    onTestFinished(() => watch.close())
    const retainAgain = async () => {
      watch.plans.length = 0
      await createHandlers(watch.deps).retention({}, signal)
      return watch.plans.filter((plan) =>
        /from (?:entries e|bulk_entries e|reactions r)\s+where \w\.home = \$\d and (?:block >= \$2 and )?made_at/.test(
          plan,
        ),
      ).length
    }
    expect(await retainAgain()).toBeGreaterThan(0)
    expect((await listLettingsGo(service.deps.db)).at(-1)?.deletedAt).not.toBeNull()
    expect(await retainAgain()).toBe(0)
  })

  test('leaves entries that lie since where old ones lay', async ({ service: { deps } }) => {
    const [old, before, later] = [new Date(0), new Date(DAY_MS), new Date(2 * DAY_MS)]
    const insert = (at: Date) =>
      inTransaction(deps.db, async (tx) => {
        const entry = { userId: 1, messageId: 1, isBulk: false, isListed: true, hasCopy: false }
        await insertEntries(tx, 0, [entry, { ...entry, userId: 2, isBulk: true }], at)
      })
    await insert(old)
    const single = await inTransaction(deps.db, (tx) => listOldEntries(tx, 0, before, 10))
    const bulk = await inTransaction(deps.db, (tx) => listOldBulkEntries(tx, 0, { from: 0, before, limit: 10 }))
    expect([single, bulk]).toMatchObject([[{ userId: 1 }], [{ block: 0 }]])
    for (const table of ['entries', 'bulk_entries']) {
      await deps.pool.query(`delete from ${table}`)
      await deps.pool.query(`vacuum ${table}`)
    }
    await insert(later)
    const places = single.map(({ at }) => at)
    expect(await inTransaction(deps.db, (tx) => deleteEntries(tx, 0, places, before))).toEqual([])
    expect(await inTransaction(deps.db, (tx) => deleteBulkEntries(tx, 0, bulk, before))).toEqual([])
    const left = await deps.pool.query('select made_at from entries union all select made_at from bulk_entries')
    expect(left.rows).toEqual([{ made_at: later }, { made_at: later }])
    for (const table of ['entries', 'bulk_entries']) await deps.pool.query(`delete from ${table}`)
  })

  test('by a command waits for no other: the second says so and deletes nothing', async ({ service: { deps } }) => {
    const holder = await deps.pool.connect()
    onTestFinished(() => holder.release(true))
    await holder.query('select pg_advisory_lock(7261990002)')
    const second = await retentionCommand.run(deps, {})
    expect(second).toEqual({ text: expect.stringMatching(/^Another retention command runs/) as string, isGood: false })
    await holder.query('select pg_advisory_unlock_all()')
    expect(await retentionCommand.run(deps, {})).toMatchObject({ isGood: true })
  })

  test('does not claim that a campaign which was stopped long ago skipped somebody who got it', async ({ service }) => {
    const { app, deps, clock } = service
    const [user] = await usersWithPhones(service, 1)
    const messageId = await send(service, [user!])
    await drain(service)
    await deps.db
      .updateTable('messages')
      .set({ audience: 'all', status: 'stopped', last_user_id: user!.userId })
      .where('message_id', '=', messageId)
      .execute()
    await clock.setTime(clock.now() + 130 * DAY_MS)
    await retain(service)
    const { headers } = await service.given.admin()
    const told = await app.inject({ url: `/api/admin/users/${user!.userId}/notifications`, headers })
    expect(told.json().data.map((message: { id: number }) => message.id)).not.toContain(messageId)
  })
})

async function act(service: Service, people: GivenUser[], { act: what, who, pick }: Step): Promise<number[]> {
  const { deps, clock } = service
  const { userId } = people[who]!
  if (what === 'push' || what === 'campaign') {
    const messageId = await send(service, what === 'push' ? [people[who]!] : people)
    await drain(service)
    return [messageId]
  }
  if (what === 'read all' || what === 'open') {
    const entries = await listEntries(deps.db, userId, UNREAD, { after: undefined, limit: 100 })
    const entry = entries[pick % Math.max(1, entries.length)]
    const read = what === 'open' ? readEntry : readUpTo
    if (entry) await commitWork(deps, read as typeof readEntry, { messageId: entry.message_id, userId })
  }
  if (what === 'days') {
    await clock.setTime(clock.now() + (pick % 40) * DAY_MS)
    await createHandlers(deps)['fetch-receipts']({ limit: 1_000, dueOnly: false }, signal)
    await createHandlers(deps).retention({}, signal)
  }
  await drain(service)
  return []
}

async function retain({ deps }: Service): Promise<void> {
  await createHandlers(deps)['fetch-receipts']({ limit: 1_000, dueOnly: false }, signal)
  await createHandlers(deps).retention({}, signal)
}

/** What people see, and what the counters say. */
async function seenBy(service: Service, people: GivenUser[], messages: number[]) {
  const [inboxes, unread, counts] = [[] as InboxRow[][], [] as number[], [] as unknown[]]
  for (const { userId } of people) {
    inboxes.push(await readPages(service, userId))
    unread.push((await findBadge(service.deps.db, userId)).notifications)
  }
  for (const messageId of messages) counts.push(await storedCounts(service, messageId))
  return { inboxes, unread, counts }
}

/** All that a user has, read by cursors, three a page. */
async function readPages({ deps }: Service, userId: number): Promise<InboxRow[]> {
  const all: InboxRow[] = []
  for (;;) {
    const last = all.at(-1)
    const after: [number, number] | undefined = last && [last.at, last.message_id]
    const page = await listEntries(deps.db, userId, ALL, { after, limit: 3 })
    all.push(...page)
    if (page.length < 3) return all
  }
}

async function pushCounts({ deps }: Service): Promise<unknown> {
  const { rows } = await sql`select sum(sent) as sent, sum(delivered) as delivered from push_counts`.execute(deps.db)
  return rows
}
