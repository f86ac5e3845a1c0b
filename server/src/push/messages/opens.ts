import { THE_SERVICE } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/db/connect.ts'
import { errors } from '../../platform/shared/errors.ts'
import { inWork, type Ground, type Work } from '../../platform/work/work.ts'
import { markBadges } from '../badges/badges.ts'
import { addCounts } from '../records/counts.queries.ts'
import type { DeviceEvent } from '../records/copies.ts'
import { markOnDevice, openCopies, openSome } from '../ledger/reactions.queries.ts'
import { countPushes } from '../records/push-counts.ts'

export type Target = { notificationId: number; userId: number }

export type Recorded = Target & { event: DeviceEvent }

/** Also the user's other copies of its message; 404 for another's. */
export async function openNotification(work: Work, target: Target): Promise<Target> {
  const { tx } = work
  const now = work.now()
  const result = await openCopies(tx, target, now)
  if (result === undefined) throw errors.notFound('This notification')
  await addCounts(tx, [result], target.userId)
  await countPushes(tx, [result], { at: now, seed: target.userId })
  if (result.opened > 0) await markBadges(work, [target.userId])
  return target
}

// A round locks counters that senders of the same messages write, so it is short.
const COPIES_A_ROUND = 500

/** Opens all copies made up to now, one transaction a round, so it may stop halfway; returns the number of copies. */
export async function openAll(ground: Ground & { db: Db }, userId: number): Promise<number> {
  const until = new Date(ground.clock.now())
  let total = 0
  for (;;) {
    const opened = await inWork(ground, THE_SERVICE, (work) => openRound(work, userId, until))
    total += opened
    if (opened < COPIES_A_ROUND) return total
  }
}

async function openRound(work: Work, userId: number, until: Date): Promise<number> {
  const { tx } = work
  const now = work.now()
  const results = await openSome(tx, userId, { until, limit: COPIES_A_ROUND, now })
  await addCounts(tx, results, userId)
  await countPushes(tx, results, { at: now, seed: userId })
  if (results.length > 0) await markBadges(work, [userId])
  return results.reduce((sum, { opened }) => sum + opened, 0)
}

/** The first time counts; 404 for another's notification. */
export async function recordDeviceEvent({ tx, now }: Work, target: Target, event: DeviceEvent): Promise<Recorded> {
  if (!(await markOnDevice(tx, target, event, now()))) throw errors.notFound('This notification')
  return { ...target, event }
}
