// For CI: query plans on tables of up to a million rows.
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { scannedBy, watchPlans, type PlanWatch } from '../../../test/support/plans.ts'
import { startService, type Service } from '../../../test/support/service.ts'
import type { Db } from '../../platform/db/connect.ts'
import { findProfiles, listPages } from './profile.queries.ts'
import type { UserFilter } from './users-list.queries.ts'
import { findUsers, USER_ORDERS, type UserPage } from './users-list.queries.ts'

const USERS = 60_000
const PER_PAGE = 20
const time = (minute: number) => new Date(Date.UTC(2025, 0, 1) + minute * 60_000)

let service: Service
let watch: PlanWatch

beforeAll(async () => {
  service = await startService()
  await fill(service.deps.db)
  watch = await watchPlans(service)
})

afterAll(async () => {
  await watch.close()
  await service.close()
})

const FILTERS: Record<string, Partial<UserFilter>> = {
  'no filter': {},
  'a status that most have': { statuses: ['active'] },
  'a rare status': { statuses: ['banned'] },
  'roles that few have': { roles: ['admin', 'moderator'] },
  'verified addresses': { isEmailVerified: true },
  'test users': { isTestUser: true },
  'deleted ones': { deleted: 'only' },
  'deleted ones too': { deleted: 'include' },
  'a month of registrations': { from: new Date(Date.UTC(2025, 1, 1)), to: new Date(Date.UTC(2025, 2, 1)) },
  'registrations from a day on': { from: new Date(Date.UTC(2025, 1, 20, 7)) },
  'registrations before a day': { to: new Date(Date.UTC(2025, 1, 20, 7)) },
  'a month of activity': {
    lastActiveFrom: new Date(Date.UTC(2025, 5, 1)),
    lastActiveTo: new Date(Date.UTC(2025, 6, 1)),
  },
  'a search that few match': { search: 'ser 12345' },
  'a search that many match': { search: 'example' },
  'a search whose matches lie together': { search: 'early bird' },
  'a search of two letters': { search: 'qx' },
  'a search of two letters within words of a short list': { search: 'xa', statuses: ['banned'] },
  'a search of marks in a short list': { search: '@', statuses: ['banned'] },
  'a search across fields': { search: 'example.com user 5' },
  'a search of marks': { search: '%' },
  'a search of frequent words': { search: 'xenia jovanovic' },
  'a search of words in another order': { search: '12345 user' },
}

test.for<string>(Object.keys(FILTERS))(
  'the list with %s gives the right page in every order, without reading the whole table',
  async (name) => {
    const filter: UserFilter = { deleted: 'exclude', ...FILTERS[name] }
    for (const by of USER_ORDERS) {
      for (const direction of ['asc', 'desc'] as const) {
        const page: UserPage = { perPage: PER_PAGE, offset: PER_PAGE, by, direction }
        watch.plans.length = 0
        const { ids, total, reach } = await findUsers(watch.deps, filter, page)
        await listPages(watch.deps.pool, [ids])
        // No index has this order, so the first users of it, in which a frequent text is looked for, are sorted.
        const isSorted = by === 'updated_at' && filter.search !== undefined
        if (!isSorted) expect.soft(wholeScans(), `${by} ${direction}`).toEqual([])
        const expected = await plainly(filter, page)
        expect.soft(ids, `${by} ${direction}`).toEqual(expected.ids)
        if (reach === 'first_20000') expect.soft(total.isEstimate).toBe(true)
        else if (total.isEstimate) expect.soft(total.total, `${by} ${direction}`).toBeGreaterThan(20_000)
        else expect.soft(total.total, `${by} ${direction}`).toBe(expected.total)
      }
    }
  },
)

test('any page of any range of registrations is that of plain SQL', async () => {
  const length = fc.oneof(fc.nat(30_000), fc.nat(2 * USERS))
  const bounds = fc
    .tuple(fc.integer({ min: -1_000, max: 2 * USERS }), length)
    .map(([first, minutes]) => [time(first), time(first + minutes)])
  const statuses = fc.constantFrom<UserFilter['statuses'][]>(undefined, undefined, ['active'], ['inactive', 'banned'])
  const wanted = fc.record({
    range: bounds,
    isOpen: fc.tuple(fc.boolean(), fc.boolean()),
    active: fc.option(bounds, { freq: 4 }),
    statuses,
    by: fc.constantFrom<UserPage['by'][]>(...USER_ORDERS, 'id', 'last_active_at', 'updated_at'),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
    offset: fc.oneof(fc.constant(0), fc.nat(100), fc.nat(300), fc.nat(USERS)),
    perPage: fc.integer({ min: 1, max: 100 }),
  })
  await fc.assert(
    fc.asyncProperty(wanted, async ({ range: [from, to], isOpen, active, statuses: chosen, ...page }) => {
      const filter: UserFilter = {
        deleted: 'exclude',
        statuses: chosen,
        ...(isOpen[0] ? {} : { from }),
        ...(isOpen[1] ? {} : { to }),
        ...(active && { lastActiveFrom: active[0], lastActiveTo: active[1] }),
      }
      const { ids } = await findUsers(watch.deps, filter, page)
      expect(ids).toEqual((await plainly(filter, page)).ids)
    }),
    { numRuns: 80, seed: 11 },
  )
})

test.for(USER_ORDERS)('a far page by %s comes from the index alone', async (by) => {
  watch.plans.length = 0
  await findUsers(
    watch.deps,
    { deleted: 'exclude', statuses: ['active'] },
    { perPage: PER_PAGE, offset: 40_000, by, direction: 'desc' },
  )
  expect(watch.plans.some((plan) => /Index Only Scan/.test(plan))).toBe(true)
  expect(wholeScans()).toEqual([])
})

test('a profile is found by indexes', async () => {
  watch.plans.length = 0
  expect(await findProfiles(watch.deps.pool, [4_711, 0, 4_711], new Date())).toMatchObject([
    { user_id: 4_711 },
    undefined,
    { user_id: 4_711 },
  ])
  expect(watch.plans.length).toBeGreaterThan(0)
  expect(wholeScans()).toEqual([])
})

/** Scans of all users in what was run. */
function wholeScans(): string[] {
  return scannedBy(watch.plans).filter((table) => table === 'users')
}

const KEYS: Record<(typeof USER_ORDERS)[number], string> = {
  id: 'user_id',
  username: 'lower(username)',
  email: 'lower(email)',
  name: 'lower(name)',
  role: 'role',
  status: 'status',
  last_active_at: `coalesce(last_active_at, '-infinity')`,
  created_at: 'created_at',
  updated_at: 'updated_at',
  deleted_at: `coalesce(deleted_at, '-infinity')`,
}

async function plainly(filter: UserFilter, page: UserPage): Promise<{ ids: number[]; total: number }> {
  const { by, direction, perPage, offset } = page
  const { rows } = await sql<{ ids: number[]; total: number }>`
    with found as (select * from users where
      (${filter.deleted} = 'include' or (deleted_at is null) = (${filter.deleted} = 'exclude'))
      and (${filter.statuses ?? null}::text[] is null or status = any(${filter.statuses ?? null}))
      and (${filter.roles ?? null}::text[] is null or role = any(${filter.roles ?? null}))
      and (${filter.isEmailVerified ?? null}::boolean is null or (email_verified_at is not null) = ${filter.isEmailVerified ?? null})
      and (${filter.isTestUser ?? null}::boolean is null or is_test_user = ${filter.isTestUser ?? null})
      and created_at >= ${filter.from ?? new Date(0)} and created_at < ${filter.to ?? new Date(1e14)}
      and (${filter.lastActiveFrom ?? null}::timestamptz is null
        or last_active_at >= ${filter.lastActiveFrom ?? null} and last_active_at < ${filter.lastActiveTo ?? null})
      and not exists (
        select from regexp_split_to_table(${filter.search ?? ''}, ' ') word
        where position(case when length(word) < 3 and ${filter.search ?? ''} like '% %' then ' ' || word else word end
          in lower(' ' || username || ' ' || email || ' ' || name)) = 0))
    select array(select user_id from found order by ${sql.raw(KEYS[by])} ${sql.raw(direction)}, user_id ${sql.raw(direction)}
      limit ${perPage} offset ${offset}) as ids, (select count(*) from found) as total`.execute(service.deps.db)
  return rows[0]!
}

/** A table of users that is large enough for every way of finding them; settled, as a vacuum leaves it. */
async function fill(to: Db): Promise<void> {
  await sql`
    insert into users (username, email, name, password_hash, role, status, is_test_user, created_at, updated_at, last_active_at,
      deleted_at, email_verified_at, avatar_url)
    select 'user' || n, md5(n::text) || '@example.com',
      case when n % 40 = 7 then 'Xenia Jovanovic ' when n % 40 = 8 then 'Xenia Jovkovic '
        when n <= 25000 then 'Early Bird ' else 'User ' end || n,
      repeat('x', 97), case when n % 5000 = 0 then 'admin' when n % 5000 = 1 then 'moderator' else 'user' end,
      case when n % 1000 = 3 then 'banned' when n % 20 = 4 then 'inactive' else 'active' end, n % 2500 = 0,
      timestamptz '2025-01-01' + make_interval(mins => n * 2), timestamptz '2026-01-01' + make_interval(secs => (n * 7919::bigint) % 1000003),
      case when n % 7 <> 0 then timestamptz '2025-01-01' + make_interval(mins => (n * 31::bigint % 500009)::int) end,
      case when n % 100 = 50 then timestamptz '2026-01-01' + make_interval(secs => n) end,
      case when n % 3 <> 0 then timestamptz '2026-01-01' end, 'https://example.com/avatars/' || md5(n::text) || '.png'
    from generate_series(1, ${USERS}::int) n`.execute(to)
  // Whatever looks at the database just now keeps a vacuum from calling its pages visible to all.
  await vi.waitFor(
    async () => {
      await sql`vacuum analyze users`.execute(to)
      const { rows } = await sql<{ share: number }>`
        select relallvisible::float / relpages as share from pg_class where relname = 'users'`.execute(to)
      expect(rows[0]?.share).toBe(1)
    },
    { timeout: 300_000, interval: 500 },
  )
}
