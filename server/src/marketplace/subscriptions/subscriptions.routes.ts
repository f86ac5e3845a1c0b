import { Type, type Static } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import {
  answers,
  Body,
  Component,
  pickFields,
  Id,
  Nullable,
  ok,
  Success,
  Timestamp,
} from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { errors } from '../../platform/shared/errors.ts'
import { STORES, SUBSCRIPTION_STATUSES } from '../../platform/shared/words.ts'
import { refuseUnsigned } from './signature.ts'
import { receiveStoreEvent, ownSubscription } from './subscriptions.ts'
import type { OwnSubscription, Subscription } from './subscriptions.queries.ts'

const Moment = Type.String({ format: 'date-time', maxLength: 40 })

const Own = Component('OwnSubscription', {
  id: Type.Integer(),
  plan: Type.Object({
    code: Type.String(),
    name: Type.String(),
    price_cents: Type.Integer(),
    currency: Type.String(),
    period: Type.Enum(['month', 'year']),
  }),
  status: Type.Enum(SUBSCRIPTION_STATUSES),
  provider: Type.Enum(STORES),
  started_at: Timestamp,
  current_period_end: Timestamp,
  cancelled_at: Nullable(Timestamp),
})

const StoreEvent = Body({
  event_id: Type.String({ minLength: 1, maxLength: 255, description: 'The same again when an event is sent again.' }),
  occurred_at: Moment,
  subscription: Type.Object(
    {
      external_id: Type.String({ minLength: 1, maxLength: 255, description: 'The store’s name for it.' }),
      user_id: Type.Optional(Id),
      plan: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'The code of a plan.' })),
      status: Type.Enum(SUBSCRIPTION_STATUSES),
      current_period_end: Moment,
    },
    { additionalProperties: false },
  ),
})

const Followed = Type.Object({
  subscription_id: Type.Integer(),
  status: Type.Enum(SUBSCRIPTION_STATUSES),
  current_period_end: Timestamp,
})

export function registerSubscriptionRoutes(app: App, deps: PushDeps): void {
  const { db, clock, config } = deps

  registerRoute(app, 'GET /api/v1/subscription', {
    access: 'user',
    operationId: 'getMySubscription',
    summary: 'Your present or last subscription; null if you never had one',
    response: answers(200, Success(Type.Union([Own, Type.Null()]))),
    handler: async (request) => {
      const subscription = await ownSubscription(db, request.caller.userId)
      return ok(subscription && toOwn(subscription), 'Subscription')
    },
  })

  registerChange(app, deps, 'POST /api/v1/webhooks/subscriptions/:provider', {
    access: 'public',
    keepsBodyText: true,
    preValidation: async ({ params, headers, bodyText }) => {
      if (config.SUBSCRIPTION_WEBHOOK_SECRET.length === 0) throw errors.notFound('This address')
      const [timestamp, signature] = [headers['swapbell-timestamp'], headers['swapbell-signature']]
      const signed = {
        provider: params.provider,
        timestamp: [timestamp].flat()[0],
        signature: [signature].flat()[0],
        body: bodyText ?? '',
      }
      refuseUnsigned(config.SUBSCRIPTION_WEBHOOK_SECRET, signed, clock.now())
    },
    operationId: 'receiveSubscriptionEvent',
    summary: 'Report a store’s event about a subscription; signed, and safe to repeat',
    description:
      'Exists only if SUBSCRIPTION_WEBHOOK_SECRET is set. The headers Swapbell-Timestamp and Swapbell-Signature sign the body: docs/subscription-events.md.',
    params: Type.Object({ provider: Type.Enum(STORES) }),
    body: StoreEvent,
    response: answers(200, Success(Followed), 401, 404),
    message: 'Event received',
    view: (subscription: Subscription) => pickFields(Followed, subscription),
    rule: (work, { body, params }) => {
      const { event_id: eventId, occurred_at: occurredAt, subscription } = body
      const { external_id: externalId, user_id: userId, plan, status, current_period_end } = subscription
      const event = { provider: params.provider, eventId, occurredAt, externalId, userId, plan, status }
      return receiveStoreEvent(work, { ...event, currentPeriodEnd: current_period_end })
    },
  })
}

function toOwn(row: OwnSubscription): Static<typeof Own> {
  const { code, name, price_cents, currency, period } = row
  const plan = { code, name, price_cents, currency, period }
  return { ...pickFields(Own, row), id: row.subscription_id, plan }
}
