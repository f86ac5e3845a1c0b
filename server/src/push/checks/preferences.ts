import type { Tx } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'
import { copyAt } from '../ledger/ledger.ts'
import { endWork } from '../ledger/end-work.ts'
import { skip, type Plan } from '../ledger/plan.ts'
import type { DueWork } from '../ledger/work.queries.ts'
import { putToSleep } from '../records/messages.queries.ts'
import { listPreferences, type PushPreferences } from './checks.queries.ts'
import { endOfQuiet, type QuietHours } from './quiet-hours.ts'

/**
 * Users who muted the kind are skipped as `opted_out`, and their copies end; quiet hours delay, except for
 * excepted kinds
 * and test sends. Gives what may go on now.
 */
export async function applyPreferences(tx: Tx, plan: Plan, due: DueWork[]): Promise<DueWork[]> {
  const preferences = await listPreferences(
    tx,
    due.flatMap((work) => work.places.map((place) => userOf(plan, work, place))),
  )
  if (preferences.size === 0) return due
  const endOf = rememberEnds(plan.now)
  return due.flatMap((work): DueWork[] => {
    const now: number[] = []
    const muted: number[] = []
    const later = new Map<number, number[]>()
    for (const place of work.places) {
      const own = preferences.get(userOf(plan, work, place))
      const until = own && untilWhen(work, own, endOf)
      if (own && isMuted(work, own)) muted.push(place)
      else if (until === undefined) now.push(place)
      else later.set(until.getTime(), [...(later.get(until.getTime()) ?? []), place])
    }
    if (work.provider === null) skip(plan, work, muted, 'opted_out')
    else if (muted.length > 0)
      endWork(plan, { ...work, places: muted }, { code: 'RecipientUnavailable', reason: 'opted_out' })
    for (const [until, places] of later) plan.later.push({ ...work, places, dueAt: new Date(until) })
    return now.length > 0 ? [{ ...work, places: now }] : []
  })
}

function userOf(plan: Plan, { batchId, provider }: DueWork, place: number): number {
  const ledger = plan.ledger(batchId)
  return provider === null ? must(ledger.userIds[place], 'user of a batch') : copyAt(ledger, place).userId
}

function isMuted({ event }: DueWork, { muted }: PushPreferences): boolean {
  return event !== null && muted.includes(event)
}

function untilWhen(
  { event, origin }: DueWork,
  { quiet, quiet_except }: PushPreferences,
  endOf: (quiet: QuietHours) => Date | undefined,
): Date | undefined {
  if (quiet === null || origin === 'test' || (event !== null && quiet_except.includes(event))) return undefined
  return endOf(quiet)
}

function rememberEnds(now: Date): (quiet: QuietHours) => Date | undefined {
  const ends = new Map<string, Date | undefined>()
  return (quiet) => {
    const key = `${quiet.start} ${quiet.end} ${quiet.zone}`
    if (!ends.has(key)) ends.set(key, endOfQuiet(quiet, now))
    return ends.get(key)
  }
}

/** Transactional messages of which nothing is due: after the work that was put off is written. */
export async function sleepUntilDue(tx: Tx, plan: Plan): Promise<void> {
  const early = plan.later.filter(({ dueAt }) => dueAt > plan.now)
  await putToSleep(tx, [...new Set(early.map(({ messageId }) => messageId))], plan.now)
}
