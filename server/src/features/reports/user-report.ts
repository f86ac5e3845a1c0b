import type { Deps } from '../../deps.ts'
import { fromNow } from '../../shared/clock.ts'
import { errors } from '../../shared/errors.ts'
import { listSwaps } from './swap-report.queries.ts'
import {
  findLatestSubscription,
  findReportedUser,
  listActiveDays,
  listReportsAround,
  sumUpUser,
} from './user-report.queries.ts'

const RECENT = 10
const DAYS = 30
const DAY_MS = 86_400_000

/**
 * What there is to say about somebody (decision C11). The range narrows the totals, each by when it was made. 404 when
 * there is no such account; one that is deleted is told of until it is purged.
 */
export async function reportOnUser(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  userId: number,
  range: { from: Date | undefined; to: Date | undefined },
) {
  const user = await findReportedUser(db, userId)
  if (user === undefined) throw errors.notFound('This user')
  const days = Array.from({ length: DAYS }, (_, i) => dayOf(fromNow(clock, (i + 1 - DAYS) * DAY_MS)))
  const newest = { perPage: RECENT, offset: 0, order: { by: 'created', direction: 'desc' } } as const
  const [totals, subscription, activeDays, swaps, reports] = await Promise.all([
    sumUpUser(db, userId, range),
    findLatestSubscription(db, userId),
    listActiveDays(db, userId, days),
    listSwaps(db, { basis: 'created', userId }, newest),
    listReportsAround(db, userId, RECENT),
  ])
  const requests = totals.requests_sent + totals.requests_received
  return {
    user,
    totals: { ...totals, completion_rate: requests === 0 ? null : rateOf(totals.completed, requests) },
    subscription: subscription ?? null,
    activity: {
      lastActiveAt: user.last_active_at,
      activeDays: activeDays.length,
      series: days.map((date) => ({ date, value: activeDays.includes(date) ? 1 : 0 })),
    },
    swaps,
    reports,
  }
}

function rateOf(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 10_000
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
