import type { IdentityDeps } from '../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { errors } from '../../platform/shared/errors.ts'
import { EVENT_KINDS, type EventKind } from '../../platform/events/event-kinds.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import { must } from '../../platform/shared/must.ts'
import {
  deletePreferences,
  findPreferences,
  lockPreferences,
  savePreferences,
  upsertNotification,
  type PreferenceRow,
} from './settings.queries.ts'

export const EXCEPTABLE = ['new_message', 'swap_status'] as const satisfies readonly EventKind[]
type Exceptable = (typeof EXCEPTABLE)[number]

/** `HH:MM` in the user's time zone, `end` excluded, over midnight when it is before `start`. */
type QuietHours = { start: string; end: string; except: Exceptable[] }

/** `notification` is the switch for all pushes that are not promotional. */
export type Preferences = {
  notification: boolean
  events: Record<EventKind, boolean>
  /** Whether pushes about matches and messages say whom they come from. */
  sender_names: boolean
  quiet_hours: QuietHours | null
  time_zone: string
}

export type PreferenceChange = {
  notification?: boolean
  events?: Partial<Preferences['events']>
  sender_names?: boolean
  quiet_hours?: { start: string; end: string; except?: Exceptable[] } | null
}

export async function readPreferences(db: Db | Tx, userId: number): Promise<Preferences> {
  return toPreferences(must(await findPreferences(db, userId), 'user'))
}

/** They apply from the next push that is sent, also to those that wait. */
export async function changePreferences(
  work: Work,
  { wakePushes, change }: Pick<IdentityDeps, 'wakePushes'> & { change: PreferenceChange },
): Promise<Preferences> {
  const { notification, ...others } = change
  const { quiet_hours: quiet, events = {} } = others
  if (quiet && quiet.start === quiet.end) throw errors.validation({ 'quiet_hours.end': ['must differ from the start'] })
  const { tx } = work
  const [userId, now] = [callerId(work), work.now()]
  if (notification !== undefined) await upsertNotification(tx, { userId, isOn: notification, now })
  if (Object.keys(others).length > 0) {
    await lockPreferences(tx, userId)
    const after = changed(must(await findPreferences(tx, userId), 'user'), others)
    const isDefault = after.muted.length === 0 && after.quiet_start === null && after.sender_names
    await (isDefault ? deletePreferences(tx, userId) : savePreferences(tx, { ...after, userId, now }))
  }
  if (quiet !== undefined || Object.keys(events).length > 0) await wakePushes(work, userId)
  return readPreferences(tx, userId)
}

function changed(
  before: PreferenceRow,
  { events = {}, sender_names = before.sender_names, quiet_hours }: PreferenceChange,
): PreferenceRow {
  const muted = EVENT_KINDS.filter((kind) => !(events[kind] ?? !before.muted.includes(kind)))
  return { ...before, ...(quiet_hours !== undefined && toQuietRow(quiet_hours)), muted, sender_names }
}

function toPreferences({ muted, quiet_start, quiet_end, quiet_except, ...others }: PreferenceRow): Preferences {
  const events = Object.fromEntries(EVENT_KINDS.map((kind) => [kind, !muted.includes(kind)])) as Preferences['events']
  const except = EXCEPTABLE.filter((kind) => quiet_except.includes(kind))
  const quiet_hours =
    quiet_start === null || quiet_end === null ? null : { start: toTime(quiet_start), end: toTime(quiet_end), except }
  return { ...others, events, quiet_hours }
}

function toQuietRow(
  quiet: NonNullable<PreferenceChange['quiet_hours']> | null,
): Pick<PreferenceRow, 'quiet_start' | 'quiet_end' | 'quiet_except'> {
  if (quiet === null) return { quiet_start: null, quiet_end: null, quiet_except: [] }
  const { start, end, except = [] } = quiet
  return { quiet_start: toMinutes(start), quiet_end: toMinutes(end), quiet_except: [...new Set(except)] }
}

function toMinutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

function toTime(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
}
