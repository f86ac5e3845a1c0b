import type { PushDeps } from '../../push/deps.ts'
import type { Db } from '../../platform/db/connect.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { rebuildGapHistogram } from '../../identity/activity/activity.ts'
import { foldPushCounts, recountPushes } from '../../push/records/push-counts.ts'
import {
  ACCOUNT_EVENTS,
  EVENT_NAMES,
  findState,
  lockState,
  oldestTime,
  recountAccounts,
  recountBuckets,
  recountCohorts,
  setCompleteUntil,
  type EventName,
} from './buckets.queries.ts'
import { DAY_MS, dayAt, toDate } from '../../platform/shared/days.ts'
import { quarterBefore } from './period.ts'

type Counting = Pick<PushDeps, 'db' | 'clock'>
type Reach = { from: Date; to: Date }

const QUARTER_MS = 900_000
/** Rows of a transaction that commits up to this late are still counted. */
const LATE_MS = 3_600_000
const HEAL_DAYS = 3
const STEP_DAYS = 7
/** A run counts for less time than the job may take; the next run does the rest. */
const REFRESH_FOR_MS = 120_000

/** Counts from an hour before the last run on, once a day the last three days and the accounts (ADR 20). It may run
 * twice, late or never. */
export async function refreshInsights(deps: Counting, signal?: AbortSignal): Promise<void> {
  const giveUpAt = Date.now() + REFRESH_FOR_MS
  const now = fromNow(deps.clock)
  const state = await findState(deps.db)
  const isDaily = state.healed_at === null || dayAt(state.healed_at) < dayAt(now)
  const before = state.complete_until ?? (await oldestTime(deps.db)) ?? now
  // If the clock was set back, events until then must still be counted.
  const since = before < now ? before : now
  const back = isDaily && state.complete_until !== null ? HEAL_DAYS * DAY_MS : LATE_MS
  const reach = { from: new Date(since.getTime() - back), to: now }
  if (!(await recount(deps, reach, EVENT_NAMES, () => signal?.aborted === true || Date.now() > giveUpAt))) return
  if (!isDaily) return
  await recountAll(deps.db, now)
  await foldPushCounts(deps, new Date(now.getTime() - HEAL_DAYS * DAY_MS))
}

/** Counts anew from the rows. Purged people have no rows, so accounts are recounted only with everything else. `pushes`
 * recounts from the notifications that still exist. */
export async function rebuildInsights(
  deps: Counting,
  options: { from?: Date | undefined; to?: Date | undefined; pushes?: boolean } = {},
): Promise<Reach> {
  const now = fromNow(deps.clock)
  const from = options.from ?? (await oldestTime(deps.db)) ?? now
  const reach = { from, to: options.to ?? now }
  const isAll = options.from === undefined && options.to === undefined
  if (options.pushes) await recountPushes(deps, { from: quarterBefore(reach.from), to: reach.to })
  const names = isAll ? EVENT_NAMES : EVENT_NAMES.filter((name) => !ACCOUNT_EVENTS.includes(name))
  await recount(deps, reach, names, () => false)
  await rebuildGapHistogram(deps.db, { fromDay: toDate(dayAt(reach.from)), toDay: toDate(dayAt(reach.to)) })
  if (isAll) await recountAll(deps.db, now)
  return reach
}

async function recountAll(db: Db, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockState(tx)
    await recountAccounts(tx, quarterBefore(now), now)
  })
}

/** Recounts week by week, each in its own transaction; false when it was stopped before the end. */
async function recount(
  { db, clock }: Counting,
  reach: Reach,
  names: readonly EventName[],
  isStopped: () => boolean,
): Promise<boolean> {
  for (let from = quarterBefore(reach.from); from < reach.to; from = new Date(from.getTime() + STEP_DAYS * DAY_MS)) {
    if (isStopped()) return false
    const end = new Date(Math.min(from.getTime() + STEP_DAYS * DAY_MS, quarterBefore(reach.to).getTime() + QUARTER_MS))
    await inTransaction(db, async (tx) => {
      const { complete_until: completeUntil } = await lockState(tx)
      const step = { from, to: end }
      await recountBuckets(tx, step, names)
      await recountCohorts(tx, step)
      // True when everything before is counted.
      const isNext = completeUntil === null || completeUntil >= from
      if (isNext && names === EVENT_NAMES) await setCompleteUntil(tx, end, fromNow(clock))
    })
  }
  return true
}
