// Slow: a second or more for each test, or five for the file.
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { send, usersWithPhones } from '../../../test/support/campaign.ts'
import { drain } from '../../../test/support/drain.ts'
import { insertHistory } from '../../../test/support/insight-data.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import type { Deps } from '../../deps.ts'
import { openNotification } from '../../push/inbox/reading.ts'
import { foldPushCounts } from '../../push/records/push-counts.ts'
import { fetchReceipts } from '../../push/pipeline/receipts.ts'
import { countAccountsAt, findState, sumEvents } from './buckets.queries.ts'
import { rebuildInsightsCommand } from './rebuild-command.ts'
import { rebuildInsights, refreshInsights } from './refresh.ts'
import { commitWork } from '../../../test/support/commit.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

describe('The job that counts', () => {
  test('counts the same step by step, all at once, twice and late', async () => {
    const service = await startService()
    let deps: Deps = service.deps
    await refreshInsights(deps)
    for (const [seed, hours] of [0.01, 0.3, 30, 4, 100].entries()) {
      deps = later(deps, hours * HOUR_MS)
      await insertHistory(deps, { seed: seed + 10, days: hours / 24 })
      await refreshInsights(deps)
    }
    const stepwise = await readBuckets(service)
    expect(stepwise.length).toBeGreaterThan(200)

    await refreshInsights(deps)
    expect(await readBuckets(service)).toEqual(stepwise)
    await Promise.all(Array.from({ length: 6 }, () => refreshInsights(deps)))
    expect(await readBuckets(service)).toEqual(stepwise)
    const gaps = await readGaps(service)
    await rebuildInsights(deps)
    expect(await readBuckets(service)).toEqual(stepwise)
    expect(await readGaps(service)).toEqual(gaps)
    await sql`truncate metric_buckets, activity_gap_day`.execute(deps.db)
    await rebuildInsights(deps)
    expect(await readBuckets(service)).toEqual(stepwise)
    expect(await readGaps(service)).toEqual(gaps)
    await service.close()
  })

  test('shows what happened within its minute, and says up to when', async ({ service }) => {
    const { deps, clock } = service
    await refreshInsights(deps)
    await clock.tick(10_000)
    await insertSwap(service, clock.now())
    await refreshInsights(deps)
    expect(await readRequests(service)).toBe(1)
    expect((await findState(deps.db)).complete_until).toEqual(new Date(clock.now()))
  })

  test('finds rows whose transaction was late, and once a day those of the last three days', async ({ service }) => {
    const { deps, clock } = service
    await refreshInsights(deps)
    const before = (await readRequests(service)) ?? 0
    await insertSwap(service, clock.now() - 40 * 60_000)
    await refreshInsights(deps)
    expect(await readRequests(service)).toBe(before + 1)
    await insertSwap(service, clock.now() - 2 * DAY_MS)
    await refreshInsights(deps)
    expect(await readRequests(service)).toBe(before + 1)
    await refreshInsights(later(deps, DAY_MS))
    expect(await readRequests(service)).toBe(before + 2)
  })

  test('counts a late completion for the requests of the time when it was asked for', async ({ service }) => {
    const { deps, clock } = service
    const created = clock.now() - 20 * DAY_MS
    const id = await insertSwap(service, created)
    await rebuildInsights(deps)
    const cohort = () => readSum(service, 'requests_completed_in_30d', created - HOUR_MS, created + HOUR_MS)
    expect(await cohort()).toBe(0)
    const now = new Date(clock.now())
    const done = {
      status: 'completed' as const,
      completed_at: now,
      requester_confirmed_at: now,
      owner_confirmed_at: now,
    }
    await deps.db.updateTable('swaps').set(done).where('swap_id', '=', id).execute()
    await refreshInsights(deps)
    expect(await cohort()).toBe(1)
  })
})

describe('The command that rebuilds', () => {
  test('takes UTC days, and refuses what is no date with nothing counted', async ({ service }) => {
    const { deps } = service
    const { isGood, text } = await rebuildInsightsCommand.run(deps, { from: '2026-10-01', to: '2026-10-31' })
    expect(isGood).toBe(true)
    expect(text).toBe('Counted from 2026-10-01T00:00:00.000Z to 2026-11-01T00:00:00.000Z.')
    const before = await findState(deps.db)
    for (const wrong of [{ from: '2026-02-30' }, { to: 'today' }, { from: true }])
      await expect(rebuildInsightsCommand.run(deps, wrong)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect(await findState(deps.db)).toEqual(before)
  })
})

describe('The number of accounts', () => {
  test('is exact today even where a change left no trace, and earlier by the changes since', async ({ service }) => {
    const { deps, given } = service
    await given.user({ status: 'inactive' })
    await refreshInsights(deps)
    const { userId } = await given.user()
    await deps.db.updateTable('users').set({ status: 'banned' }).where('user_id', '=', userId).execute()
    await deps.db.deleteFrom('users').where('email', 'like', 'user-%').where('status', '=', 'inactive').execute()
    const tomorrow = later(deps, 2 * DAY_MS)
    await refreshInsights(tomorrow)
    const { rows } = await sql<{ active: number; inactive: number }>`
      select count(*) filter (where status = 'active') as active, count(*) filter (where status <> 'active') as inactive
      from users where deleted_at is null`.execute(deps.db)
    expect(await countAccountsAt(deps.db, new Date(tomorrow.clock.now()))).toEqual(rows[0])
    expect(await countAccountsAt(deps.db, new Date('2020-01-01'))).toMatchObject({ active: 0 })
  })

  test('does not change after a recount of a week whose people were purged', async ({ service }) => {
    const { deps, clock } = service
    const [created, deleted] = [clock.now() - 50 * DAY_MS, clock.now() - 40 * DAY_MS]
    const { rows } = await sql<{ user_id: number }>`
      insert into users (username, email, name, password_hash, created_at, deleted_at)
      values ('p', 'p@example.com', 'P', '', ${new Date(created)}, ${new Date(deleted)}) returning user_id`.execute(
      deps.db,
    )
    await rebuildInsights(deps)
    const levels = () =>
      Promise.all([60, 45, 30].map((days) => countAccountsAt(deps.db, new Date(clock.now() - days * DAY_MS))))
    const before = await levels()
    expect(before.map(({ active }) => active - before[0]!.active)).toEqual([0, 1, 0])
    await deps.db.deleteFrom('users').where('user_id', '=', rows[0]!.user_id).execute()
    await rebuildInsights(deps, { from: new Date(created - DAY_MS), to: new Date(created + DAY_MS) })
    expect(await levels()).toEqual(before)
    await rebuildInsights(deps)
    expect((await levels()).map(({ active }) => active - before[0]!.active)).toEqual([0, 0, 0])
  })
})

describe('Pushes', () => {
  test('are counted when they are sent, delivered and opened, and stay counted after a purge', async ({ service }) => {
    const { deps, clock } = service
    const since = clock.now() - HOUR_MS
    const users = await usersWithPhones(service, 5)
    await send(service, users)
    await drain(service)
    await clock.tick(20 * 60_000)
    await fetchReceipts(deps, { limit: 1_000, dueOnly: false }, new AbortController().signal)
    const { notification_id: notificationId } = await deps.db
      .selectFrom('notifications')
      .select('notification_id')
      .where('user_id', '=', users[0]!.userId)
      .executeTakeFirstOrThrow()
    await clock.tick(20 * 60_000)
    for (let times = 0; times < 3; times++)
      await commitWork(deps, openNotification, { notificationId, userId: users[0]!.userId })
    await refreshInsights(deps)
    const counts = async () =>
      Promise.all(
        (['pushes_sent', 'pushes_delivered', 'pushes_opened'] as const).map((name) =>
          readSum(service, name, since, clock.now()),
        ),
      )
    expect(await counts()).toEqual([5, 5, 1])

    const slots = await readSlots(service)
    await foldPushCounts(deps, new Date(clock.now() + HOUR_MS))
    expect(await readSlots(service)).toEqual(slots)
    await rebuildInsights(later(deps, HOUR_MS), { pushes: true })
    expect(await readSlots(service)).toEqual(slots)
    expect(await counts()).toEqual([5, 5, 1])
    await deps.db.deleteFrom('users').where('user_id', '=', users[0]!.userId).execute()
    await rebuildInsights(deps)
    expect(await counts()).toEqual([5, 5, 1])
  })
})

/** The same service, so much later: a day of the held clock would wake every timer of it. */
function later(deps: Deps, ms: number): Deps {
  const now = deps.clock.now() + ms
  return { ...deps, clock: { now: () => now } }
}

/** The quarters in which something happened. */
async function readBuckets({ deps }: Service) {
  const { rows } = await sql<Record<string, unknown>>`select * from metric_buckets order by bucket`.execute(deps.db)
  return rows.filter((row) => Object.values(row).some((value) => typeof value === 'number' && value !== 0))
}

async function readGaps({ deps }: Service) {
  return (await sql`select * from activity_gap_day order by day, gap`.execute(deps.db)).rows
}

/** The counted pushes of each quarter, whichever slots they lie in. */
async function readSlots({ deps }: Service) {
  const { rows } = await sql`
    select bucket, sum(sent) as sent, sum(delivered) as delivered, sum(opened) as opened from push_counts group by 1 order by 1`.execute(
    deps.db,
  )
  return rows
}

async function readSum({ deps }: Service, name: Parameters<typeof sumEvents>[1][number], from: number, to: number) {
  const [sums] = await sumEvents(deps.db, [name], [new Date(from), new Date(to)])
  return sums?.[name]
}

/** All requests of the last week. */
async function readRequests(service: Service) {
  return readSum(service, 'swaps_requested', service.clock.now() - 7 * DAY_MS, service.clock.now() + HOUR_MS)
}

async function insertSwap({ deps, given }: Service, at: number): Promise<number> {
  const [requester, owner] = [await given.user(), await given.user()]
  const when = new Date(at)
  const { swap_id: id } = await deps.db
    .insertInto('swaps')
    .values({
      requester_id: requester.userId,
      owner_id: owner.userId,
      expires_at: when,
      created_at: when,
      updated_at: when,
    })
    .returning('swap_id')
    .executeTakeFirstOrThrow()
  return id
}
