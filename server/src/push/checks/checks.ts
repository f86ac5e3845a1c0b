import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Runner, Tx } from '../../platform/db/connect.ts'
import { withPlans } from '../../platform/db/planner.ts'
import { must } from '../../platform/shared/must.ts'
import type { Work } from '../../platform/work/work.ts'
import { hasTicket } from '../ledger/ledger.ts'
import { endWork, type Plan } from '../ledger/plan.ts'
import { bringForward, listPutOff, type DueWork } from '../ledger/work.queries.ts'
import { toHome } from '../records/home.queries.ts'
import { wakeEarly, type Message } from '../records/messages.queries.ts'
import {
  holdPreferences,
  listPreferences,
  lockPreferences,
  recheckMessages,
  type IsStale,
  type PushPreferences,
} from './checks.queries.ts'
import { endOfQuiet, type QuietHours } from './quiet-hours.ts'

/** Whether somebody wants a push of a message now, never, or from a moment on, when their quiet hours are over. */
type Wish = 'now' | 'never' | Date

export type FindWish = (message: Pick<Message, 'event' | 'origin'>, userId: number) => Wish

type FindEnd = (quiet: QuietHours) => Date | undefined

// The end of quiet hours that nobody else has costs up to 50 µs.
const PEOPLE_A_TURN = 100
// While somebody's preferences are being changed, pushes to them wait this long.
const CHANGING_MS = 1_000

/**
 * Skips users of stale messages, ends tried copies with `MessageStale`; the others get their present text (ADR 8).
 * Who has an entry and got no push loses the entry (decision B25).
 */
export async function endStale(tx: Tx, plan: Plan, due: DueWork[], isStale: IsStale): Promise<DueWork[]> {
  const messageIds = new Set(due.filter(({ rechecks }) => rechecks).map(({ messageId }) => messageId))
  if (messageIds.size === 0) return due
  const rechecked = await recheckMessages(tx, plan.home, [...messageIds], isStale)
  const found = new Map(rechecked.map((one) => [one.message_id, one]))
  return due.flatMap((work): DueWork[] => {
    if (!work.rechecks) return [work]
    const { stale, title, body, data } = must(found.get(work.messageId), 'message of locked work')
    if (!stale) return [{ ...work, title, body, data }]
    plan.voided.push(...findUnannounced(plan, work))
    endWork(plan, work, { code: 'MessageStale', reason: 'stale' })
    return []
  })
}

/** Quiet hours delay, except for excepted kinds and test sends. */
export async function readWishes(tx: Runner, userIds: readonly number[], now: Date): Promise<FindWish> {
  const findEnd = rememberEnds(now)
  const { preferences, changing } = await readPreferences(tx, userIds, findEnd)
  return (message, userId) => {
    const own = preferences.get(userId)
    if (own === undefined) return 'now'
    if (message.event !== null && own.muted.includes(message.event)) return 'never'
    const until = quietUntil(message, own, findEnd)
    if (until === undefined) return 'now'
    return changing.has(userId) ? new Date(now.getTime() + CHANGING_MS) : until
  }
}

/**
 * What waits for the end of somebody's quiet hours is due now, and decided again by what they want from now on. In the
 * transaction that changes it, after the change.
 */
export async function wakePushes(work: Work, userId: number): Promise<void> {
  const { tx, now, config } = work
  const times = { now: now(), since: now(-config.MESSAGE_TTL_SECONDS * 1_000) }
  await lockPreferences(tx, userId)
  await withPlans(tx, 'by index', async () => wakeWork(work, toHome(tx, userId), await listPutOff(tx, userId, times)))
}

/** A claim decides it again at once. */
export async function wakeWork(
  { tx, now, announce }: Work,
  home: number,
  waiting: Pick<DueWork, 'workId' | 'messageId'>[],
): Promise<void> {
  if (waiting.length === 0) return
  await wakeEarly(tx, [...new Set(waiting.map(({ messageId }) => messageId))], now())
  const workIds = waiting.map(({ workId }) => workId)
  await bringForward(tx, home, workIds, now())
  announce()
}

function findUnannounced(plan: Plan, { batchId, messageId, provider, places }: DueWork): Plan['voided'] {
  const ledger = plan.ledger(batchId)
  const owners = provider === null ? places : places.map((place) => ledger.facts.owner[place])
  return [...new Set(owners)].flatMap((owner) => {
    const wasAnnounced = [...ledger.facts.owner].some((own, place) => own === owner && hasTicket(ledger, place))
    return wasAnnounced || owner === undefined
      ? []
      : [{ messageId, userId: must(ledger.userIds[owner], 'user of a batch') }]
  })
}

/** Preferences of people in quiet hours stay until the commit: a later change finds what is put off (ADR 8). */
async function readPreferences(tx: Runner, userIds: readonly number[], findEnd: FindEnd) {
  const preferences = await listPreferences(tx, userIds)
  const asleep = await listAsleep(preferences, findEnd)
  if (asleep.length === 0) return { preferences, changing: new Set<number>() }
  const held = await holdPreferences(tx, asleep)
  const latest = await listPreferences(tx, asleep)
  for (const userId of asleep) preferences.delete(userId)
  for (const [userId, own] of latest) preferences.set(userId, own)
  return { preferences, changing: new Set(asleep.filter((userId) => !held.has(userId))) }
}

export async function listAsleep(
  preferences: ReadonlyMap<number, Pick<PushPreferences, 'quiet'>>,
  findEnd: FindEnd,
): Promise<number[]> {
  const asleep: number[] = []
  let asked = 0
  for (const [userId, { quiet }] of preferences) {
    if (!quiet) continue
    if (findEnd(quiet)) asleep.push(userId)
    if (++asked % PEOPLE_A_TURN === 0) await nextTurn()
  }
  return asleep
}

function quietUntil(
  { event, origin }: Pick<Message, 'event' | 'origin'>,
  { quiet, quiet_except }: PushPreferences,
  findEnd: FindEnd,
): Date | undefined {
  if (quiet === null || origin === 'test' || (event !== null && quiet_except.includes(event))) return undefined
  return findEnd(quiet)
}

function rememberEnds(now: Date): FindEnd {
  const ends = new Map<string, Date | undefined>()
  return (quiet) => {
    const key = `${quiet.start} ${quiet.end} ${quiet.zone}`
    if (!ends.has(key)) ends.set(key, endOfQuiet(quiet, now))
    return ends.get(key)
  }
}
