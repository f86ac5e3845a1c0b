import type { Tx } from '../../platform/db/connect.ts'
import type { Message } from '../records/messages.queries.ts'
import { listPreferences, type PushPreferences } from './checks.queries.ts'
import { endOfQuiet, type QuietHours } from './quiet-hours.ts'

/** Whether somebody wants a push of a message now, never, or from a moment on, when their quiet hours are over. */
type Wish = 'now' | 'never' | Date

export type WishOf = (message: Pick<Message, 'event' | 'origin'>, userId: number) => Wish

/** Quiet hours delay, except for excepted kinds and test sends. */
export async function readWishes(tx: Tx, userIds: readonly number[], now: Date): Promise<WishOf> {
  const preferences = await listPreferences(tx, userIds)
  const endOf = rememberEnds(now)
  return (message, userId) => {
    const own = preferences.get(userId)
    if (own === undefined) return 'now'
    return message.event !== null && own.muted.includes(message.event)
      ? 'never'
      : (quietUntil(message, own, endOf) ?? 'now')
  }
}

function quietUntil(
  { event, origin }: Pick<Message, 'event' | 'origin'>,
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
