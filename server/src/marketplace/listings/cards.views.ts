import { Type, type Static } from 'typebox'
import { Component, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import { Person, toPerson } from '../../platform/people/person.ts'
import { CONDITIONS, STATUSES } from '../products/words.ts'
import type { Card } from './cards.queries.ts'

export const Category = Component('CategoryName', { id: Type.Integer(), slug: Type.String(), name: Type.String() })

export const ProductCard = Component('ProductCard', {
  id: Type.Integer(),
  title: Type.String(),
  image: Nullable(Type.String({ description: 'The address of the first image.' })),
  category: Category,
  condition: Type.Enum([...CONDITIONS]),
  city: Nullable(Type.String()),
  status: Type.Enum([...STATUSES]),
  is_verified: Type.Boolean({ description: 'Moderators have verified what you see.' }),
  owner: Person,
  like_count: Type.Integer(),
  liked_by_me: Type.Boolean(),
  created_at: Timestamp,
})

export function toCard(card: Card): Static<typeof ProductCard> {
  return {
    id: card.product_id,
    title: card.title,
    image: card.image,
    category: { id: card.category_id, slug: card.category_slug, name: card.category_name },
    condition: card.condition,
    city: card.product_city,
    status: card.status,
    is_verified: card.is_verified,
    owner: toPerson(card),
    like_count: card.like_count,
    liked_by_me: card.is_liked,
    created_at: card.created_at.toISOString(),
  }
}
