import type { PushDeps } from '../../push/deps.ts'
import type { Range } from '../../platform/lists/listing.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { earlier } from '../../platform/shared/zones.ts'
import { periodBefore, toPeriod } from '../insights/period.ts'
import { findShares, type Dimension, type MeasureName } from './breakdown.queries.ts'

export type Question = { measure: MeasureName; by: Dimension; range: Range }

const SHOWN = 20
const LONGEST_DAYS = 92

/** The default range is the last 30 days. 422 for a range of more than three months, whose rows take too long to count,
 * and for accounts by category. */
export async function findBreakdown({ db, clock }: Pick<PushDeps, 'db' | 'clock'>, { measure, by, range }: Question) {
  if (measure === 'accounts_created' && by === 'category')
    throw errors.validation({ by: ['must be city: an account has no category'] })
  const now = fromNow(clock)
  const period = toPeriod(range, 'day', now)
  if (earlier(period.to, period.zone, { days: LONGEST_DAYS }) > period.from)
    throw errors.validation({ start_date: [`must be at most ${LONGEST_DAYS} days before the end of the range`] })
  const before = periodBefore(period, 'previous_period', now)
  const shares = await findShares(db, { measure, by }, { now: period, before, limit: SHOWN })
  return { measure, by, period, before, shares }
}

export type Breakdown = Awaited<ReturnType<typeof findBreakdown>>
