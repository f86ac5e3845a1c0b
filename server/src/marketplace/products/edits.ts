import type { Tx } from '../../platform/db/connect.ts'
import { errors } from '../../platform/shared/errors.ts'
import { CONTENT_FIELDS } from './moderation.ts'
import { hasCategory, type Product } from './products.queries.ts'

type Editable =
  'title' | 'description' | 'category_id' | 'condition' | 'wants' | 'city' | 'estimated_value_cents' | 'images'

export type ProductContent = Pick<Product, Editable>
export type ProductEdit = Partial<ProductContent & Pick<Product, 'status'>>

export function differing(product: Product, edit: Partial<ProductContent>): Editable[] {
  return (Object.keys(edit) as Editable[]).filter(
    (name) => edit[name] !== undefined && JSON.stringify(edit[name]) !== JSON.stringify(product[name]),
  )
}

export function nextRevision({ revision }: Product, changed: readonly string[]): { revision?: number } {
  return CONTENT_FIELDS.some((field) => changed.includes(field)) ? { revision: revision + 1 } : {}
}

/** 422 when there is no such category. */
export async function refuseUnknownCategory(tx: Tx, categoryId: number | undefined): Promise<void> {
  if (categoryId !== undefined && !(await hasCategory(tx, categoryId)))
    throw errors.validation({ category_id: ['no such category'] })
}
