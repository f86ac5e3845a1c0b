import type { Generated, JSONColumnType } from 'kysely'
import type * as words from '../shared/words.ts'
import type { Role, UserStatus } from './tables.ts'

export type Desk = 'verification' | 'reports'
export type DecisionKind = 'verification' | 'reported_product' | 'report' | 'user_report' | 'dispute'
export type BulkAction = (typeof words.BULK_ACTIONS)[number]

export type ApprovalKind = (typeof words.APPROVAL_KINDS)[number]
export type ApprovalStatus = (typeof words.APPROVAL_STATUSES)[number]

export type OfficeTables = {
  approvals: {
    approval_id: Generated<number>
    kind: ApprovalKind
    request: JSONColumnType<Record<string, unknown>>
    pin: string
    record_id: number | null
    subject_id: number | null
    status: Generated<ApprovalStatus>
    author_id: number | null
    decided_by: number | null
    reason: string | null
    result: JSONColumnType<Record<string, unknown>> | null
    created_at: Date
    expires_at: Date
    decided_at: Date | null
  }
  desk_decisions: {
    decision_id: Generated<number>
    kind: DecisionKind
    record_id: number
    verdict: string
    request: JSONColumnType<Record<string, unknown>>
    status: Generated<'waiting' | 'done' | 'undone' | 'failed'>
    error: string | null
    decided_by: number
    decided_at: Date
    due_at: Date
    ended_at: Date | null
  }
  staff_browsers: {
    browser_id: Generated<number>
    user_id: number
    session_id: string | null
    role: Role
    provider: string
    token: string
    created_at: Date
    told_at: Date
  }
  account_powers: { actor_id: number; subject_id: number; used_at: Date }
  desk_leases: { desk: Desk; product_id: number; holder_id: number; until: Date }
  bulk_changes: {
    bulk_id: Generated<number>
    action: BulkAction | 'undo'
    reason: string | null
    status: Generated<'prepared' | 'running' | 'done'>
    undoes: number | null
    requested_by: number | null
    created_at: Date
    started_at: Date | null
    finished_at: Date | null
    expires_at: Date
    progress_at: Date | null
    attempts: Generated<number>
  }
  bulk_items: {
    bulk_id: number
    user_id: number
    from_status: UserStatus
    from_deleted: boolean
    to_status: UserStatus
    to_deleted: boolean
    to_reason: string | null
    to_until: Date | null
    was_reason: string | null
    was_until: Date | null
    outcome: 'changed' | 'skipped' | null
    code: string | null
  }
}
