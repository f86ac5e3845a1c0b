import { Type, type Static } from 'typebox'
import { Component, Nullable } from '../../platform/http/envelope.ts'
import { Decision, PRODUCT, toDecision, toProduct } from '../products/products.views.ts'
import type { Waiting } from './verification.ts'

export const WaitingProduct = Component('WaitingProduct', {
  ...PRODUCT,
  waiting_seconds: Type.Integer(),
  previous_decision: Nullable(Decision),
  changed_fields: Type.Array(Type.Enum(['title', 'description', 'category_id', 'images']), {
    description: 'The fields that differ from the last verified revision.',
  }),
  last_verified: Nullable(Type.Object({}, { additionalProperties: true, description: 'The last verified revision.' })),
})

export function toWaitingProduct(waiting: Waiting): Static<typeof WaitingProduct> {
  const { product, waitedMs, decision, verified, changed } = waiting
  return {
    ...toProduct(product),
    waiting_seconds: Math.floor(waitedMs / 1_000),
    previous_decision: decision ? toDecision(decision) : null,
    changed_fields: changed,
    last_verified: verified ?? null,
  }
}
