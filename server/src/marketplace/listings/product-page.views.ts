import { Type, type Static } from 'typebox'
import { Component, pickFields, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import { Person, toPerson } from '../../platform/people/person.ts'
import { Category } from './cards.views.ts'
import { CONDITIONS, OPEN_SWAP, PRODUCT_STATUSES, VERIFICATIONS } from '../../platform/shared/words.ts'
import { isTurnOf, toFacts } from '../swaps/transitions.ts'
import type { ProductPage } from './product-page.ts'

const Content = Type.Object({
  title: Type.String(),
  description: Type.String(),
  images: Type.Array(Type.String()),
  category: Category,
})

const Own = Component('OwnersView', {
  verification: Type.Enum(VERIFICATIONS),
  is_listed: Type.Boolean({ description: 'Others can find it in lists.' }),
  revision: Type.Integer({ description: 'Increases with each edit of title, description, images or category.' }),
  seen_by_others: Nullable(
    Type.Object(
      { revision: Type.Integer(), ...Content.properties },
      {
        description:
          'The verified revision, which others see while a later one waits; null: they see the latest revision.',
      },
    ),
  ),
  last_decision: Nullable(
    Type.Object({
      action: Type.Enum(['verify', 'reject', 'request_changes', 'remove', 'restore']),
      reason_code: Nullable(Type.String()),
      message: Nullable(Type.String()),
      revision: Type.Integer(),
      at: Timestamp,
    }),
  ),
  submitted_at: Timestamp,
})

export const ProductDetails = Component('ProductPage', {
  id: Type.Integer(),
  ...Content.properties,
  condition: Type.Enum(CONDITIONS),
  wants: Nullable(Type.String()),
  city: Nullable(Type.String()),
  estimated_value_cents: Nullable(Type.Integer()),
  currency: Type.String(),
  status: Type.Enum(PRODUCT_STATUSES),
  is_verified: Type.Boolean({ description: 'Moderators have verified what you see.' }),
  owner: Person,
  like_count: Type.Integer(),
  liked_by_me: Type.Boolean(),
  my_open_swaps: Type.Array(
    Type.Object({
      transaction_id: Type.Integer(),
      status: Type.Enum(OPEN_SWAP),
      is_my_turn: Type.Boolean(),
      updated_at: Timestamp,
    }),
    { description: 'Your open swaps with it, the newest twenty.' },
  ),
  not_swappable_because: Type.Unsafe<'own' | 'requested_already' | 'reserved' | 'swapped' | 'paused' | null>({
    type: ['string', 'null'],
    enum: ['own', 'requested_already', 'reserved', 'swapped', 'paused', null],
    description: 'Why you cannot ask for this product in a swap now; null: you can.',
  }),
  own: Nullable(Own),
  version: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export function toProductDetails(page: ProductPage): Static<typeof ProductDetails> {
  const { row, content, isVerified, swaps, hindrance } = page
  return {
    ...pickFields(ProductDetails, row),
    id: row.product_id,
    ...pickFields(Content, content),
    city: row.product_city,
    is_verified: isVerified,
    owner: toPerson(row),
    liked_by_me: row.is_liked,
    my_open_swaps: swaps.map(({ swap_id, viewer_side, updated_at, ...swap }) => ({
      transaction_id: swap_id,
      status: swap.status as (typeof OPEN_SWAP)[number],
      is_my_turn: isTurnOf(toFacts(swap), viewer_side),
      updated_at,
    })),
    not_swappable_because: hindrance,
    own: page.own === null ? null : toOwn(page, page.own),
  }
}

function toOwn({ row }: ProductPage, { decision }: NonNullable<ProductPage['own']>): Static<typeof Own> {
  return {
    ...pickFields(Own, row),
    seen_by_others: row.kept === null ? null : { revision: row.kept.revision, ...pickFields(Content, row.kept) },
    last_decision: decision ?? null,
  }
}
