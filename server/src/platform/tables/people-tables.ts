import type { Generated } from 'kysely'
import type { ReportStatus } from './marketplace-tables.ts'

export type UserReportReason =
  'scam' | 'no_show' | 'harassment' | 'hate' | 'impersonation' | 'spam' | 'underage' | 'other'
export type UserReportResolution = 'warned' | 'suspended' | 'other'

/** The columns of the tables that are about people alone. */
export type PeopleTables = {
  user_reports: {
    created_at: Date
    updated_at: Date
    report_id: Generated<number>
    user_id: number
    reporter_id: number | null
    reason: UserReportReason
    details: string | null
    status: Generated<ReportStatus>
    assigned_to: number | null
    resolution: UserReportResolution | null
    resolution_note: string | null
    resolved_by: number | null
    resolved_at: Date | null
    version: Generated<number>
  }
}
