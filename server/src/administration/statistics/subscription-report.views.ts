import { Type, type Static } from 'typebox'
import { columnsFrom } from '../../platform/http/csv.ts'
import { Component, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import { STORES, SUBSCRIPTION_STATUSES } from '../../platform/shared/words.ts'
import type { SubscriptionRow } from './subscription-report.queries.ts'
import { PersonView } from './swap-report.views.ts'

const PlanView = Type.Object({
  code: Type.String(),
  name: Type.String(),
  price_cents: Type.Integer(),
  currency: Type.String(),
  period: Type.Enum(['month', 'year']),
})

export const SubscriptionView = Component('Subscription', {
  id: Type.Integer(),
  user: Nullable(PersonView),
  plan: PlanView,
  status: Type.Enum(SUBSCRIPTION_STATUSES),
  provider: Type.Enum(STORES),
  external_id: Type.String(),
  started_at: Timestamp,
  current_period_end: Timestamp,
  cancelled_at: Nullable(Timestamp),
  ended_at: Nullable(Timestamp),
  version: Type.Integer(),
})

export const SubscriptionSummaryView = Component('SubscriptionSummary', {
  ...Object.fromEntries(SUBSCRIPTION_STATUSES.map((status) => [status, Type.Integer()])),
  started_in_period: Type.Integer({ description: 'Those of them that started in the range.' }),
  ended_in_period: Type.Integer({ description: 'Those of them that ended in the range.' }),
  mrr_unit: Type.Literal('cents', { description: 'Of mrr_by_currency.' }),
  mrr_by_currency: Type.Record(Type.String(), Type.Integer(), {
    description:
      'Monthly recurring revenue in cents, of active and past due subscriptions. Yearly plans count with a twelfth.',
  }),
})

export function toSubscription(row: SubscriptionRow): Static<typeof SubscriptionView> {
  const { subscription_id: id, ...rest } = row
  return { ...rest, id }
}

export const SUBSCRIPTIONS = {
  name: 'subscriptions',
  columns: columnsFrom<Static<typeof SubscriptionView>>(SubscriptionView),
  toView: toSubscription,
}
