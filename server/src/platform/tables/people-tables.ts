import type { Generated } from 'kysely'
import type { EventKind } from '../events/event-kinds.ts'
import type * as words from '../shared/words.ts'
import type { MemberStatus, ReportColumns } from './marketplace-tables.ts'

export type UserReportReason = (typeof words.USER_REPORT_REASONS)[number]

export type PeopleTables = {
  user_activity_day: { day: string; user_id: number; gap: number }
  activity_gap_day: { day: string; gap: number; n: number }
  activity_exit_day: { day: string; last_active_day: string; n: number }
  activity_forgotten_day: { day: string; gap: number; n: number }
  user_reports: ReportColumns & {
    user_id: number
    reason: UserReportReason
    resolution: (typeof words.USER_REPORT_RESOLUTIONS)[number] | null
  }
  groups: {
    created_at: Date
    updated_at: Date
    group_id: Generated<number>
    owner_id: number | null
    name: string
    description: string | null
    visibility: Generated<(typeof words.GROUP_VISIBILITIES)[number]>
    join_policy: Generated<(typeof words.JOIN_POLICIES)[number]>
    status: Generated<(typeof words.GROUP_STATUSES)[number]>
    version: Generated<number>
    member_count: Generated<number>
    pending_count: Generated<number>
  }
  group_members: {
    group_id: number
    user_id: number
    role: Generated<(typeof words.MEMBER_ROLES)[number]>
    status: Generated<MemberStatus>
    requested_at: Date
    decided_by: number | null
    decided_at: Date | null
  }
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
