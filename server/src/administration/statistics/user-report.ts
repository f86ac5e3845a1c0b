import type { PushDeps } from '../../push/deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import type { Range } from '../../platform/lists/listing.ts'
import type { ListSource } from '../../platform/lists/search.queries.ts'
import { existing } from '../../platform/shared/errors.ts'
import { toDate, toDay, dayAt } from '../../platform/shared/days.ts'
import { dateIn } from '../../platform/shared/zones.ts'
import { ownSubscription } from '../../marketplace/subscriptions/subscriptions.ts'
import { ratio } from '../insights/measure.ts'
import { swapReport } from './swap-report.queries.ts'
import { findReportedUser, listActiveDays, listReportsAround, sumUpUser } from './user-report.queries.ts'

const RECENT = 10
const DAYS = 30
const DAYS_MAX = 3_660

/** The range limits the totals, each by its creation, and the days of activity (decision C11). A deleted account is
 * reported until it is purged. */
export async function reportOnUser(deps: ListSource & Pick<PushDeps, 'clock'>, userId: number, range: Range) {
  const { db, clock } = deps
  const user = existing(await findReportedUser(db, userId), 'This user')
  const today = dayAt(fromNow(clock))
  const recent = daysBetween(today - DAYS + 1, today)
  const days = listDays(range, dayAt(user.created_at), today)
  const newest = { perPage: RECENT, offset: 0, by: 'created', direction: 'desc' } as const
  const [totals, subscription, activeDays, { rows: swaps }, reports] = await Promise.all([
    sumUpUser(db, userId, range),
    ownSubscription(db, userId),
    listActiveDays(db, userId, [...new Set([...recent, ...days])]),
    swapReport.page(deps, { filter: { basis: 'created', userId }, page: newest }),
    listReportsAround(db, userId, RECENT),
  ])
  const active = new Set(activeDays)
  const requests = totals.requests_sent + totals.requests_received
  return {
    user,
    totals: { ...totals, completion_rate: ratio(totals.completed, requests) },
    subscription,
    activity: {
      last_active_at: user.last_active_at,
      active_days_30: recent.filter((date) => active.has(date)).length,
      active_days: days.filter((date) => active.has(date)).length,
      series: days.map((date) => ({ date, value: active.has(date) ? 1 : 0 })),
    },
    swaps,
    reports,
  }
}

/** The UTC days of the same dates, from the account's first to today, at most ten years; without a range the last
 * 30. */
function listDays({ from, to, timezone }: Range, firstDay: number, today: number): string[] {
  if (from === undefined && to === undefined) return daysBetween(today - DAYS + 1, today)
  const start = from === undefined ? firstDay : Math.max(firstDay, toDay(dateIn(from, timezone)))
  const end = to === undefined ? today : Math.min(today, toDay(dateIn(new Date(to.getTime() - 1), timezone)))
  return daysBetween(Math.max(start, end - DAYS_MAX + 1), end)
}

function daysBetween(first: number, last: number): string[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => toDate(first + index))
}
