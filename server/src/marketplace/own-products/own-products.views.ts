import { Type, type Static } from 'typebox'
import { Component, pickFields, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import { CONDITIONS, PRODUCT_STATUSES, VERIFICATIONS } from '../../platform/shared/words.ts'
import { Category, toCategory } from '../listings/cards.views.ts'
import type { OwnRow } from './own-list.queries.ts'

export const OwnCard = Component('OwnProductCard', {
  id: Type.Integer(),
  title: Type.String(),
  image: Nullable(Type.String()),
  category: Category,
  condition: Type.Enum(CONDITIONS),
  city: Nullable(Type.String()),
  status: Type.Enum(PRODUCT_STATUSES),
  verification: Type.Enum(VERIFICATIONS),
  is_listed: Type.Boolean({ description: 'Others can find it in lists.' }),
  is_edit_waiting: Type.Boolean({ description: 'Others see the verified revision while this one waits.' }),
  like_count: Type.Integer(),
  waiting_requests: Type.Integer({ description: 'The number of open proposals that ask for this product.' }),
  version: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export function toOwnCard(row: OwnRow): Static<typeof OwnCard> {
  return {
    ...pickFields(OwnCard, row),
    id: row.product_id,
    category: toCategory(row),
    is_edit_waiting: row.has_kept_revision,
  }
}
