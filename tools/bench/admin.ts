import { performance } from 'node:perf_hooks'
import { configWith } from '../../server/src/platform/config/config.ts'
import { connect, queryBuilder } from '../../server/src/platform/db/connect.ts'
import { generateLoad } from '../demo/generate-load.ts'
import { createPasswords } from '../../server/src/identity/passwords/password.ts'
import { rebuildInsights } from '../../server/src/administration/insights/refresh.ts'
import { createLog } from '../../server/src/platform/shared/log.ts'
import { ADMIN, signIn } from './client.ts'
import { measureExport, type ExportFigures } from './export.ts'
import { measureProfile, type ProfileFigures } from './profile.ts'
import type { Bench } from './setup.ts'
import { time, type Kind, type Timed } from './timed.ts'

const DAY_MS = 86_400_000

export type AdminFigures = { filled: string; timed: Timed[]; profile: ProfileFigures; exported: ExportFigures }

/** The size of the marketplace to make; without `activity` it exists already. */
type Market = { users: number; activity?: number }

/** Fills the database with a marketplace of this size, and measures the administration API on it. */
export async function measureAdmin(bench: Bench, { users, activity }: Market): Promise<AdminFigures> {
  const filled = activity === undefined ? `${users} users` : await fillMarketplace(bench, { users, activity })
  await using web = await bench.service({ ...ADMIN, PROCESS: 'web', EXPO_BASE_URL: 'http://127.0.0.1:9' })
  const api = await signIn(web.url)
  const timed: Timed[] = []
  for (const kind of listKinds(users)) timed.push(await time(bench, web.url, api, kind))
  const profile = await measureProfile(bench, web.url, api)
  return { filled, timed, profile, exported: await measureExport(bench, web, api) }
}

async function fillMarketplace(bench: Bench, load: { users: number; activity: number }): Promise<string> {
  const config = configWith({ DATABASE_URL: bench.url })
  const clock = { now: () => Date.now() }
  const log = createLog('warn')
  const pool = connect(bench.url, { max: 4, log, limits: { statementMs: 0, idleMs: 0, silenceMs: 0 } })
  const deps = { db: queryBuilder(pool), pool, passwords: createPasswords(), clock, config, log }
  const report = await generateLoad(deps, load, () => undefined)
  if ('refused' in report) throw new Error(report.refused)
  const startedAt = performance.now()
  await rebuildInsights(deps, {})
  const counted = Math.round((performance.now() - startedAt) / 1_000)
  await pool.end()
  return `${report.rows['users']} users, ${report.activity} rows of activity in ${report.seconds} s; insights counted in ${counted} s`
}

function listKinds(users: number): Kind[] {
  const [year, quarter] = [dateAgo(365), dateAgo(89)]
  const far = Math.min(40_000, Math.floor((users * 0.9) / 20))
  const insight = (name: string) => `/api/admin/v1/insight/${name}?start_date=${quarter}&compare=previous_period`
  const insights: [name: string, plain: string][] = [
    ['active-inactive-accounts', `select status, count(*) from users where deleted_at is null group by status`],
    ['daily-active-users', DAYS],
    ['total-swap-requests-sent', SWAPS('created_at')],
    ['total-successful-swaps', SWAPS('completed_at')],
    ['engagement-overview', DAYS],
  ]
  return [
    { what: 'users: first page, filtered, sorted', wanted: '30 ms', paths: pages(1), plain: PAGES.map(plainPage(0)) },
    { what: 'users: search', wanted: '50 ms', paths: SEARCHES.map(searchFor), plain: SEARCHES.map(plainSearch) },
    {
      what: `users: page ${far}`,
      wanted: '100 ms',
      paths: pages(far),
      plain: PAGES.slice(0, 3).map(plainPage((far - 1) * 20)),
    },
    ...insights.map(([name, plain]) => ({
      what: `insight ${name}`,
      wanted: '30 ms',
      paths: [insight(name), `${insight(name)}&timezone=Asia/Kathmandu`, `${insight(name)}&interval=week`],
      plain: [plain],
    })),
    {
      what: 'report/transaction, one year',
      wanted: '100 ms',
      paths: [`?start_date=${year}`, `?start_date=${year}&status=completed&date_field=completed_at`].map(
        (query) => `/api/admin/v1/report/transaction${query}`,
      ),
      plain: [SUMMARY],
    },
  ]
}

const SORTS = [
  'id',
  'username',
  'email',
  'name',
  'role',
  'status',
  'last_active_at',
  'created_at',
  'updated_at',
  'deleted_at',
]
const FILTERS = ['', 'status=suspended', 'role=admin', 'email_verified=false', 'deleted=only', 'status=active,inactive']
const SEARCHES = ['ann', 'smith', 'example.com', 'z', 'qx', 'user-99', 'a b', 'nobody-at-all', '1234', '@']

/** Every column by which the list can be sorted, both ways, with every filter. */
function pages(page: number): string[] {
  const orders = SORTS.flatMap((column) => ['asc', 'desc'].map((order) => `sort_by=${column}&sort_order=${order}`))
  const filters = page === 1 ? FILTERS : ['']
  return orders.flatMap((order) => filters.map((filter) => `/api/admin/v1/users?page=${page}&${order}&${filter}`))
}

function searchFor(text: string): string {
  return `/api/admin/v1/users?search=${encodeURIComponent(text)}`
}

// The simplest query, with its count.
const PAGES = [
  ['deleted_at is null', 'user_id desc'],
  ["deleted_at is null and status = 'suspended'", 'created_at desc'],
  ['deleted_at is null', 'name'],
  ['deleted_at is not null', 'last_active_at desc'],
] as const

function plainPage(offset: number) {
  return ([where, order]: (typeof PAGES)[number]) =>
    `select *, (select count(*) from users where ${where}) from users where ${where} order by ${order} limit 20 offset ${offset}`
}

function plainSearch(text: string): string {
  const pattern = `'%${text}%'`
  const where = `deleted_at is null and (username ilike ${pattern} or email ilike ${pattern} or name ilike ${pattern})`
  return `select *, (select count(*) from users where ${where}) from users where ${where} order by user_id desc limit 20`
}

const DAYS = `select day, count(distinct user_id) from user_activity_day where day > current_date - 180 group by day`
const SWAPS = (moment: string) =>
  `select date_trunc('day', ${moment}), count(*), count(distinct requester_id) from swaps where ${moment} > now() - interval '180 days' group by 1`
const SUMMARY = `
  select count(*), count(*) filter (where status = 'completed'),
    percentile_cont(0.5) within group (order by responded_at - created_at),
    percentile_cont(0.5) within group (order by completed_at - created_at)
  from swaps where created_at > now() - interval '365 days'`

function dateAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
}
