import { DECIDED, idsOf } from './product-reports.views.ts'
import { USER_REPORT_REASONS } from '../../marketplace/user-reports/user-reports.ts'
import { Type, type Static } from 'typebox'
import { Component, fieldsOf, Nullable } from '../../platform/http/envelope.ts'
import type { NamedUserReport } from '../../marketplace/user-reports/user-reports.queries.ts'
import { REPORT_STATUSES } from '../../marketplace/product-reports/outcomes.ts'

export const UserReport = Component('UserReport', {
  id: Type.Integer(),
  user: Type.Object({
    id: Type.Integer(),
    username: Type.String(),
    name: Type.String(),
    status: Type.Enum(['active', 'inactive', 'suspended', 'banned']),
    undecided_count: Type.Integer({ description: 'Reports about this person that are not decided.' }),
  }),
  reporter: Nullable(Type.Object({ user_id: Type.Integer(), username: Type.String() })),
  reason: Type.Enum([...USER_REPORT_REASONS]),
  details: Nullable(Type.String()),
  status: Type.Enum([...REPORT_STATUSES]),
  assigned_to: Nullable(Type.Object({ user_id: Type.Integer(), name: Type.String() })),
  resolution: Type.Union([Type.Enum(['warned', 'suspended', 'other']), Type.Null()], {
    description: 'The action taken.',
  }),
  ...DECIDED,
})

export function toUserReport(row: NamedUserReport): Static<typeof UserReport> {
  const { user_id: id, username, name, user_status: status, undecided_count } = row
  return { ...fieldsOf(UserReport, row), ...idsOf(row), user: { id, username, name, status, undecided_count } }
}
