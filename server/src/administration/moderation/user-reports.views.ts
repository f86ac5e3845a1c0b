import { USER_REPORT_REASONS } from '../../marketplace/user-reports/user-reports.ts'
import { Type, type Static } from 'typebox'
import { Component, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import type { NamedUserReport } from '../../marketplace/user-reports/user-reports.queries.ts'
import { REPORT_STATUSES } from '../../marketplace/product-reports/outcomes.ts'

export const UserReport = Component('UserReport', {
  id: Type.Integer(),
  user: Type.Object({
    id: Type.Integer(),
    username: Type.String(),
    name: Type.String(),
    status: Type.String(),
    undecided_count: Type.Integer({ description: 'Reports about this person that are not decided.' }),
  }),
  reporter: Nullable(Type.Object({ user_id: Type.Integer(), username: Type.String() })),
  reason: Type.Enum([...USER_REPORT_REASONS]),
  details: Nullable(Type.String()),
  status: Type.Enum([...REPORT_STATUSES]),
  assigned_to: Nullable(Type.Object({ user_id: Type.Integer(), name: Type.String() })),
  resolution: Nullable(Type.String({ description: 'The action taken: warned, suspended, other.' })),
  resolution_note: Nullable(Type.String()),
  resolved_by: Nullable(Type.Integer()),
  resolved_at: Nullable(Timestamp),
  version: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export function toUserReport(row: NamedUserReport): Static<typeof UserReport> {
  const { user_id: id, username, name, user_status: status, undecided_count } = row
  return {
    id: row.report_id,
    user: { id, username, name, status, undecided_count },
    reporter: row.reporter_id === null ? null : { user_id: row.reporter_id, username: row.reporter_username ?? '' },
    reason: row.reason,
    details: row.details,
    status: row.status,
    assigned_to: row.assigned_to === null ? null : { user_id: row.assigned_to, name: row.assignee_name ?? '' },
    resolution: row.resolution,
    resolution_note: row.resolution_note,
    resolved_by: row.resolved_by,
    resolved_at: row.resolved_at?.toISOString() ?? null,
    version: row.version,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
