import { Type, type Static } from 'typebox'
import { Component, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import * as words from '../../platform/shared/words.ts'
import { SUBSCRIPTION } from '../users/users.views.ts'
import { toTransaction, Transaction } from './swap-report.views.ts'
import type { reportOnUser } from './user-report.ts'

export const UserReport = Component('ReportOnUser', {
  user: Type.Object({
    id: Type.Integer(),
    user_id: Type.Integer(),
    username: Type.String(),
    email: Nullable(Type.String({ description: 'Null for those who cannot see the list of users.' })),
    name: Type.String(),
    role: Type.Enum(words.ROLES),
    status: Type.Enum(words.USER_STATUSES),
    created_at: Timestamp,
    deleted_at: Nullable(Timestamp),
  }),
  totals: Type.Object({
    products: Type.Integer({ description: 'Products listed in the range and not deleted.' }),
    verified_products: Type.Integer(),
    requests_sent: Type.Integer(),
    requests_received: Type.Integer(),
    completed: Type.Integer({ description: 'Of these requests.' }),
    completion_rate: Nullable(Type.Number()),
    reports_filed: Type.Integer(),
    reports_against: Type.Integer({ description: 'About their products.' }),
    groups: Type.Integer(),
  }),
  subscription: Nullable(Type.Object({ ...SUBSCRIPTION, ended_at: Nullable(Timestamp) })),
  activity: Type.Object({
    last_active_at: Nullable(Timestamp),
    active_days_30: Type.Integer({ description: 'For the last 30 days including today, independent of the range.' }),
    active_days: Type.Integer({ description: 'Of the days of the series.' }),
    series: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), value: Type.Integer() }), {
      description:
        'The days of the range (UTC days with the same dates), from the account’s first day to today, at most ten years; without a range the last 30 days. 1: active.',
    }),
  }),
  recent_transactions: Type.Array(Transaction, { description: 'The newest ten, independent of the range.' }),
  recent_reports: Type.Array(
    Type.Object({
      id: Type.Integer(),
      product_id: Type.Integer(),
      direction: Type.Enum(['filed', 'against']),
      reason: Type.Enum(words.REPORT_REASONS),
      status: Type.Enum(words.REPORT_STATUSES),
      created_at: Timestamp,
    }),
    { description: 'The newest ten, independent of the range.' },
  ),
})

export function toUserReport(
  report: Awaited<ReturnType<typeof reportOnUser>>,
  { seesContact }: { seesContact: boolean },
): Static<typeof UserReport> {
  const { user, totals, subscription, activity, swaps, reports } = report
  const { last_active_at: _, ...rest } = user
  return {
    user: { ...rest, id: user.user_id, email: seesContact ? user.email : null },
    totals,
    subscription: subscription && { ...subscription, id: subscription.subscription_id, plan: subscription.code },
    activity,
    recent_transactions: swaps.map(toTransaction),
    recent_reports: reports.map(({ report_id: id, ...of }) => ({ ...of, id })),
  }
}
