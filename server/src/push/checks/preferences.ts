import type { Runner } from '../../platform/db/connect.ts'
import type { Message } from '../records/messages.queries.ts'
import { holdPreferences, listPreferences, type PushPreferences } from './checks.queries.ts'
import { endOfQuiet, type QuietHours } from './quiet-hours.ts'

/** Whether somebody wants a push of a message now, never, or from a moment on, when their quiet hours are over. */
type Wish = 'now' | 'never' | Date

export type WishOf = (message: Pick<Message, 'event' | 'origin'>, userId: number) => Wish

// So long wait pushes to somebody whose preferences are being changed.
const CHANGING_MS = 1_000

/** Quiet hours delay, except for excepted kinds and test sends. */
export async function readWishes(tx: Runner, userIds: readonly number[], now: Date): Promise<WishOf> {
  const endOf = rememberEnds(now)
  const { preferences, changing } = await readPreferences(tx, userIds, endOf)
  return (message, userId) => {
    const own = preferences.get(userId)
    if (own === undefined) return 'now'
    if (message.event !== null && own.muted.includes(message.event)) return 'never'
    const until = quietUntil(message, own, endOf)
    if (until === undefined) return 'now'
    return changing.has(userId) ? new Date(now.getTime() + CHANGING_MS) : until
  }
}

type EndOf = (quiet: QuietHours) => Date | undefined

/** Preferences of people in quiet hours stay until the commit, so that a later change finds what is put off (ADR
 * 8). */
async function readPreferences(tx: Runner, userIds: readonly number[], endOf: EndOf) {
  const preferences = await listPreferences(tx, userIds)
  const asleep = [...preferences].flatMap(([userId, { quiet }]) => (quiet && endOf(quiet) ? [userId] : []))
  if (asleep.length === 0) return { preferences, changing: new Set<number>() }
  const held = await holdPreferences(tx, asleep)
  const latest = await listPreferences(tx, asleep)
  for (const userId of asleep) preferences.delete(userId)
  for (const [userId, own] of latest) preferences.set(userId, own)
  return { preferences, changing: new Set(asleep.filter((userId) => !held.has(userId))) }
}

function quietUntil(
  { event, origin }: Pick<Message, 'event' | 'origin'>,
  { quiet, quiet_except }: PushPreferences,
  endOf: EndOf,
): Date | undefined {
  if (quiet === null || origin === 'test' || (event !== null && quiet_except.includes(event))) return undefined
  return endOf(quiet)
}

function rememberEnds(now: Date): EndOf {
  const ends = new Map<string, Date | undefined>()
  return (quiet) => {
    const key = `${quiet.start} ${quiet.end} ${quiet.zone}`
    if (!ends.has(key)) ends.set(key, endOfQuiet(quiet, now))
    return ends.get(key)
  }
}
