import type { IdentityDeps } from '../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { EVENT_KINDS, type EventKind } from '../../platform/events/event-kinds.ts'
import { workIn, type Ground } from '../../platform/work/work.ts'
import { must } from '../../platform/shared/must.ts'
import { changeSettings, settingsOf } from './settings.ts'
import { deletePreferences, findPreferences, savePreferences, type PreferenceRow } from './settings.queries.ts'

/** Kinds that a user may except from quiet hours. */
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

/** Absent fields do not change. */
export type PreferenceChange = {
  notification?: boolean
  events?: Partial<Record<EventKind, boolean>>
  sender_names?: boolean
  quiet_hours?: { start: string; end: string; except?: Exceptable[] } | null
}

export async function preferencesOf(db: Db | Tx, userId: number): Promise<Preferences> {
  const { notification } = await settingsOf(db, userId)
  return toPreferences(notification === '1', must(await findPreferences(db, userId), 'user'))
}

/** They apply from the next push that is sent, also to those that wait. */
export async function changePreferences(
  deps: Ground & Pick<IdentityDeps, 'wakePushes'>,
  tx: Tx,
  userId: number,
  { notification, events = {}, sender_names, quiet_hours }: PreferenceChange,
): Promise<Preferences> {
  if (quiet_hours && quiet_hours.start === quiet_hours.end)
    throw errors.validation({ 'quiet_hours.end': ['must differ from the start'] })
  if (notification !== undefined) await changeSettings(deps, tx, userId, { notification: notification ? '1' : '0' })
  const before = must(await findPreferences(tx, userId), 'user')
  const muted = EVENT_KINDS.filter((kind) => (events[kind] === undefined ? before.muted.includes(kind) : !events[kind]))
  const quiet = quiet_hours === undefined ? before : toQuietRow(quiet_hours)
  const names = sender_names ?? before.sender_names
  if (muted.length === 0 && quiet.quiet_start === null && names) await deletePreferences(tx, userId)
  else await savePreferences(tx, userId, { ...quiet, muted, sender_names: names }, fromNow(deps.clock))
  if (quiet_hours !== undefined || Object.keys(events).length > 0) await deps.wakePushes(workIn(deps, tx), userId)
  return preferencesOf(tx, userId)
}

function toPreferences(
  notification: boolean,
  { muted, quiet_start, quiet_end, quiet_except, sender_names, time_zone }: PreferenceRow,
): Preferences {
  const events = Object.fromEntries(EVENT_KINDS.map((kind) => [kind, !muted.includes(kind)])) as Preferences['events']
  const except = EXCEPTABLE.filter((kind) => quiet_except.includes(kind))
  const quiet_hours =
    quiet_start === null || quiet_end === null ? null : { start: toTime(quiet_start), end: toTime(quiet_end), except }
  return { notification, events, sender_names, quiet_hours, time_zone }
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
