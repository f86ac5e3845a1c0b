// Slow: many costly requests, or long data.
import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { commitWork } from '../../../test/support/commit.ts'
import type { Service } from '../../../test/support/service.ts'
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { deleteActivity } from './activity.queries.ts'
import { createActivity, rebuildGapHistogram } from './activity.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const INBOX = '/api/notification'

/** The activity of one more process, whose time the test holds. */
function createProcess(deps: Deps, start = '2030-01-01T12:00:00Z') {
  const time = { now: Date.parse(start) }
  return { time, ...createActivity({ ...deps, clock: { now: () => time.now } }) }
}

async function readDays({ db }: Deps, userId: number): Promise<[string, number][]> {
  const days = db.selectFrom('user_activity_day').selectAll().where('user_id', '=', userId)
  const rows = await days.orderBy('day').execute()
  return rows.map(({ day, gap }) => [day, gap])
}

async function readGaps(deps: Deps, userId: number): Promise<string[]> {
  return (await readDays(deps, userId)).map(([day, gap]) => `${day.slice(5)}: ${gap}`)
}

async function readHistogram({ db }: Deps): Promise<Record<string, number>> {
  const rows = await db.selectFrom('activity_gap_day').selectAll().where('n', '>', 0).execute()
  return Object.fromEntries(rows.map(({ day, gap, n }) => [`${day} ${gap}`, n]))
}

async function countedDays({ db }: Deps): Promise<Record<string, number>> {
  const rows = await db.selectFrom('user_activity_day').selectAll().execute()
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ day, gap }) => `${day} ${gap}`)].map(([key, group]) => [key, group.length]),
  )
}

async function isActive({ deps }: Service, userId: number): Promise<boolean> {
  await deps.activity.flush()
  return (await readDays(deps, userId)).length > 0
}

describe('An active day', () => {
  test('is the UTC day of a first call, with the days since the one before', async ({ deps, given }) => {
    const { userId } = await given.user()
    const activity = createProcess(deps, '2030-02-01T23:59:59Z')
    for (const daysLater of [0, 1, 1, 5]) {
      activity.time.now += daysLater * DAY_MS
      activity.touch(userId)
      activity.touch(userId)
      await activity.flush()
    }
    expect(await readGaps(deps, userId)).toEqual(['02-01: 9999', '02-02: 1', '02-03: 1', '02-08: 5'])
    expect(await readHistogram(deps)).toEqual(await countedDays(deps))
  })

  test('moves last_active_at with the first call, and then every 15 minutes', async ({ deps, given }) => {
    const { userId } = await given.user()
    const activity = createProcess(deps)
    const seen = []
    for (const minutes of [0, 14, 1, 10, 5]) {
      activity.time.now += minutes * MINUTE_MS
      activity.touch(userId)
      await activity.flush()
      const { last_active_at, last_active_day } = await deps.db
        .selectFrom('users')
        .select(['last_active_at', 'last_active_day'])
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      expect(last_active_day).toBe('2030-01-01')
      seen.push((last_active_at!.getTime() - Date.parse('2030-01-01T12:00:00Z')) / MINUTE_MS)
    }
    expect(seen).toEqual([0, 0, 15, 15, 30])
  })

  test('ends at midnight, also between two stores, and never begins again', async ({ deps, given }) => {
    const { userId } = await given.user()
    const [early, late] = [createProcess(deps, '2030-03-01T23:59:59Z'), createProcess(deps, '2030-03-01T23:59:59Z')]
    early.touch(userId)
    early.time.now += 2_000
    early.touch(userId)
    late.touch(userId)
    await early.flush()
    await late.flush()
    const overtaken = createProcess(deps, '2030-03-01T23:59:58Z')
    overtaken.touch(userId)
    await overtaken.flush()
    const account = deps.db.selectFrom('users').select('last_active_day').where('user_id', '=', userId)
    expect(await account.executeTakeFirst()).toEqual({ last_active_day: '2030-03-02' })
    expect(await readDays(deps, userId)).toEqual([
      ['2030-03-01', 9_999],
      ['2030-03-02', 1],
    ])
  })

  test('is stored also after the next one, and the gap of that one ends at it', async ({ deps, given }) => {
    const people = await Promise.all(Array.from({ length: 3 }, async () => (await given.user()).userId))
    const [regular, returning, fresh] = people as [number, number, number]
    const before = createProcess(deps, '2032-05-01T12:00:00Z')
    for (const userId of [regular, returning]) before.touch(userId)
    await before.flush()
    before.time.now += 9 * DAY_MS
    before.touch(regular)
    await before.flush()
    const [slow, fast] = [createProcess(deps, '2032-05-11T23:59:59Z'), createProcess(deps, '2032-05-12T00:00:01Z')]
    for (const userId of people) for (const process of [slow, fast]) process.touch(userId)
    await fast.flush()
    await Promise.all([slow.flush(), fast.flush()])
    expect(await readGaps(deps, regular)).toEqual(['05-01: 9999', '05-10: 9', '05-11: 1', '05-12: 1'])
    expect(await readGaps(deps, returning)).toEqual(['05-01: 9999', '05-11: 10', '05-12: 1'])
    expect(await readGaps(deps, fresh)).toEqual(['05-11: 9999', '05-12: 1'])
    expect(await readHistogram(deps)).toEqual(await countedDays(deps))
  })

  test('is counted once, whatever processes note it in whatever order', async ({ deps, given }) => {
    const people = await Promise.all(Array.from({ length: 8 }, async () => (await given.user()).userId))
    const touches = fc.array(fc.record({ who: fc.nat(7), in: fc.nat(2), hours: fc.nat(18), flushes: fc.boolean() }), {
      minLength: 1,
      maxLength: 40,
    })
    let year = 2039
    await fc.assert(
      fc.asyncProperty(touches, async (calls) => {
        year++
        const processes = [0, 1, 2].map(() => createProcess(deps, `${year}-01-01T00:00:00Z`))
        const expected = new Map(people.map((userId) => [userId, new Set<string>()]))
        for (const call of calls) {
          for (const { time } of processes) time.now += call.hours * 3_600_000
          const now = new Date(processes[0]!.time.now).toISOString().slice(0, 10)
          processes[call.in]!.touch(people[call.who]!)
          expected.get(people[call.who]!)!.add(now)
          if (call.flushes) await processes[call.in]!.flush()
        }
        await Promise.all(processes.map(({ flush }) => flush()))
        for (const userId of people) {
          const stored = (await readDays(deps, userId)).filter(([day]) => day.startsWith(String(year)))
          expect(stored.map(([day]) => day)).toEqual([...expected.get(userId)!].toSorted())
          for (const [index, [day, gap]] of stored.entries())
            if (index > 0) expect(gap).toBe((Date.parse(day) - Date.parse(stored[index - 1]![0])) / DAY_MS)
        }
        expect(await readHistogram(deps)).toEqual(await countedDays(deps))
      }),
      { numRuns: 15 },
    )
  })

  test('of a thousand users is stored at once, and of fewer at the end', async ({ deps, given }) => {
    await given.crowd(1_001)
    const ids = await deps.db.selectFrom('users').select('user_id').where('username', 'like', 'crowd-%').execute()
    const [activity, other] = [createProcess(deps, '2031-01-01T00:00:00Z'), createProcess(deps, '2031-01-01T00:00:00Z')]
    for (const { user_id } of ids) activity.touch(user_id)
    for (const { user_id } of ids.toReversed()) other.touch(user_id)
    const count = () =>
      deps.db.selectFrom('user_activity_day').select('user_id').where('day', '=', '2031-01-01').execute()
    await expect.poll(async () => (await count()).length).toBeGreaterThanOrEqual(1_000)
    await Promise.all([activity.close(), other.close()])
    expect(await count()).toHaveLength(1_001)
    expect((await readHistogram(deps))['2031-01-01 9999']).toBe(1_001)
  })

  test('that cannot be stored now is stored later, unless its user is unknown', async ({ deps, given, service }) => {
    const { userId } = await given.user()
    const activity = createProcess(deps)
    activity.touch(userId)
    activity.touch(999_999_999)
    await deps.pool.query('alter table user_activity_day rename to away')
    await activity.flush()
    await activity.flush()
    await deps.pool.query('alter table away rename to user_activity_day')
    expect(service.logged().match(/user activity could not be stored; it is tried again/g)).toHaveLength(1)
    expect(await readDays(deps, userId)).toEqual([])
    await activity.flush()
    expect(await readDays(deps, userId)).toEqual([['2030-01-01', 9_999]])
    expect(await readDays(deps, 999_999_999)).toEqual([])
  })
})

describe('Active is', () => {
  test('who calls, signs in or registers, with whatever role', async ({ service, given }) => {
    const [user, admin] = [await given.user(), await given.admin()]
    const account = { email: 'new@example.com', password: 'a good password', name: 'New' }
    for (const { headers } of [user, admin]) await service.app.inject({ url: INBOX, headers })
    const registered = await service.app.inject({ method: 'POST', url: '/api/v1/register', payload: account })
    const { id } = registered.json<{ data: { user: { id: number } } }>().data.user
    for (const userId of [user.userId, admin.userId, id]) expect(await isActive(service, userId)).toBe(true)
  })

  test('who signs in again', async ({ service, deps, clock }) => {
    const [email, password] = ['again@example.com', 'a good password']
    const payload = { email, password, name: 'Again' }
    await service.app.inject({ method: 'POST', url: '/api/v1/register', payload })
    await clock.tick(20 * MINUTE_MS)
    await service.app.inject({ method: 'POST', url: '/api/v1/login', payload: { email, password } })
    await deps.activity.flush()
    const account = deps.db.selectFrom('users').select('last_active_at').where('email', '=', email)
    expect((await account.executeTakeFirstOrThrow()).last_active_at?.getTime()).toBe(clock.now())
  })

  test('not who calls the administration, nor who is refused', async ({ service, given, deps }) => {
    const [admin, user, out] = [await given.admin(), await given.user(), await given.user()]
    await commitWork(deps, deps.sessions.end, { userId: out.userId, reason: 'test' })
    const calls = [
      ['/api/admin/push-status', admin],
      ['/api/admin/v1/check-token', admin],
      ['/api/admin/push-status', user],
      [INBOX, out],
      ['/api/health', user],
    ] as const
    for (const [url, { headers }] of calls) await service.app.inject({ url, headers })
    for (const { userId } of [admin, user, out]) expect(await isActive(service, userId)).toBe(false)
  })
})

test('A rebuild counts the days asked for as they are stored, and no others', async ({ deps, given }) => {
  const activity = createProcess(deps, '2033-01-01T00:00:00Z')
  for (let day = 0; day < 4; day++) {
    activity.touch((await given.user()).userId)
    await activity.flush()
    activity.time.now += DAY_MS
  }
  await deps.db.updateTable('activity_gap_day').set({ n: 77 }).where('day', '>=', '2033-01-01').execute()
  await deps.db.insertInto('activity_gap_day').values({ day: '2033-01-02', gap: 3, n: 5 }).execute()
  expect(await rebuildGapHistogram(deps.db, { fromDay: '2033-01-02', toDay: '2033-01-03' })).toBe(2)
  const counted = Object.entries(await readHistogram(deps)).filter(([key]) => key.startsWith('2033'))
  expect(Object.fromEntries(counted)).toEqual({
    '2033-01-01 9999': 77,
    '2033-01-02 9999': 1,
    '2033-01-03 9999': 1,
    '2033-01-04 9999': 77,
  })
  await rebuildGapHistogram(deps.db, { fromDay: '2033-01-01', toDay: '2033-12-31' })
})

test('Days of a person can be forgotten; the histogram still counts them', async ({ deps, given }) => {
  const [gone, staying] = [(await given.user()).userId, (await given.user()).userId]
  const activity = createProcess(deps, '2034-01-01T00:00:00Z')
  for (const userId of [gone, staying]) activity.touch(userId)
  await activity.flush()
  const days = { fromDay: '2033-12-31', toDay: '2034-01-02' }
  await inTransaction(deps.db, (tx) => deleteActivity(tx, { userIds: [gone], ...days }))
  expect([await readDays(deps, gone), await readDays(deps, staying)]).toEqual([[], [['2034-01-01', 9_999]]])
  expect((await readHistogram(deps))['2034-01-01 9999']).toBe(2)
})
