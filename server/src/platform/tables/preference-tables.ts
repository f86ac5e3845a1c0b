import type { Generated } from 'kysely'
import type { EventKind } from '../events/event-kinds.ts'

export type PreferenceTables = {
  /** Users who have no row want every push at any hour, with names. */
  push_preferences: {
    user_id: number
    muted: Generated<EventKind[]>
    /** Minutes of the day in the user's time zone; both null: none. */
    quiet_start: number | null
    quiet_end: number | null
    quiet_except: Generated<EventKind[]>
    sender_names: Generated<boolean>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
}
