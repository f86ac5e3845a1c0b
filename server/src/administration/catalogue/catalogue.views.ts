import { Type, type Static } from 'typebox'
import { Component, pickFields, Nullable } from '../../platform/http/envelope.ts'
import type { Category as CategoryRow, ListedCategory, ListedPlan } from './catalogue.queries.ts'

/** The slugs of categories and the codes of plans have this form. */
export const Slug = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[a-z0-9][a-z0-9_-]*$',
  'x-fault': 'must have only lower-case letters, digits, dashes and underscores',
})

const CATEGORY = {
  id: Type.Integer(),
  parent_id: Nullable(Type.Integer()),
  slug: Type.String(),
  name: Type.String(),
  version: Type.Integer(),
}
export const Category = Component('Category', CATEGORY)
export const CategoryItem = Component('CategoryInUse', {
  ...CATEGORY,
  is_used: Type.Boolean({
    description: 'Whether it contains products or other categories, so that it cannot be deleted.',
  }),
})

export const Plan = Component('Plan', {
  id: Type.Integer(),
  code: Type.String(),
  name: Type.String(),
  price_cents: Type.Integer(),
  currency: Type.String(),
  period: Type.Enum(['month', 'year']),
  version: Type.Integer(),
  is_used: Type.Boolean({
    description: 'Whether people have subscribed, so that price, currency and period can no longer change.',
  }),
})

export function toCategory(row: CategoryRow): Static<typeof Category> {
  return { ...pickFields(Category, row), id: row.category_id }
}

export function toCategoryItem(row: ListedCategory): Static<typeof CategoryItem> {
  return { ...toCategory(row), is_used: row.is_used }
}

export function toPlan(row: ListedPlan): Static<typeof Plan> {
  return { ...pickFields(Plan, row), id: row.plan_id }
}
