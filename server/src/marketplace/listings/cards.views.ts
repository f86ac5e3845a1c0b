import { Type, type Static } from 'typebox'
import { Component, pickFields, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import { Person, toPerson } from '../../platform/people/person.ts'
import { CONDITIONS, PRODUCT_STATUSES } from '../../platform/shared/words.ts'
import type { Card } from './cards.queries.ts'

export const Category = Component('CategoryName', { id: Type.Integer(), slug: Type.String(), name: Type.String() })

export const ProductCard = Component('ProductCard', {
  id: Type.Integer(),
  title: Type.String(),
  image: Nullable(Type.String({ description: 'The address of the first image.' })),
  category: Category,
  condition: Type.Enum(CONDITIONS),
  city: Nullable(Type.String()),
  status: Type.Enum(PRODUCT_STATUSES),
  is_verified: Type.Boolean({ description: 'Moderators have verified what you see.' }),
  owner: Person,
  like_count: Type.Integer(),
  liked_by_me: Type.Boolean(),
  created_at: Timestamp,
})

type InCategory = Pick<Card, 'category_id' | 'category_slug' | 'category_name'>

export function toCategory({ category_id: id, category_slug: slug, category_name: name }: InCategory) {
  return { id, slug, name }
}

export function toCard(card: Card): Static<typeof ProductCard> {
  return {
    ...pickFields(ProductCard, card),
    id: card.product_id,
    category: toCategory(card),
    city: card.product_city,
    owner: toPerson(card),
    liked_by_me: card.is_liked,
  }
}
