import type { Tx } from '../../platform/db/connect.ts'
import { errors } from '../../platform/shared/errors.ts'
import { isExpected, type Expected } from '../../platform/shared/versions.ts'
import { existing, must } from '../../platform/shared/must.ts'
import type { Work } from '../../platform/work/work.ts'
import {
  countLevels,
  deleteCategory,
  findCategory,
  insertCategory,
  listAncestors,
  lockCategories,
  updateCategory,
  type Category,
  type ListedCategory,
} from './categories.queries.ts'

const MOST_LEVELS = 5
const FOREIGN_KEY_VIOLATION = '23503'

/** 409 DUPLICATE for a taken slug; 422 for a parent that is not there or too deep. */
export async function addCategory(
  work: Work,
  category: Pick<Category, 'parent_id' | 'slug' | 'name'>,
): Promise<Category> {
  await lockCategories(work.tx)
  await refuseParent(work.tx, category.parent_id, null)
  const added = await insertCategory(work.tx, category)
  if (added === undefined) throw errors.duplicate('slug', 'Another category has this slug.')
  await record(work, 'category.create', null, added)
  return added
}

/** Its slug stays. 412 with the category for another version; 422 for a parent that is not there, is the category
 * itself or below it, or makes more than five levels. */
export async function changeCategory(
  work: Work,
  edit: { categoryId: number; expected: Expected; change: Partial<Pick<Category, 'parent_id' | 'name'>> },
): Promise<Category> {
  const { categoryId, expected, change } = edit
  await lockCategories(work.tx)
  const before = await presentCategory(work.tx, categoryId)
  if (!isExpected(expected, before.version)) throw errors.staleVersion(before)
  if (change.parent_id !== undefined) await refuseParent(work.tx, change.parent_id, categoryId)
  const after = await updateCategory(work.tx, categoryId, change)
  await record(work, 'category.update', before, after)
  return after
}

/** 409 CONFLICT while a product, also a deleted one, or a category is in it. */
export async function removeCategory(work: Work, categoryId: number): Promise<Category> {
  await lockCategories(work.tx)
  const before = await presentCategory(work.tx, categoryId)
  if (before.is_used) throw errors.conflict(USED)
  await deleteCategory(work.tx, categoryId).catch((error: unknown) => {
    // A product came into it meanwhile.
    throw (error as { code?: string }).code === FOREIGN_KEY_VIOLATION ? errors.conflict(USED) : error
  })
  await record(work, 'category.delete', before, null)
  return before
}

const USED = 'Products or other categories are in this category.'

async function presentCategory(tx: Tx, categoryId: number): Promise<ListedCategory> {
  return existing(await findCategory(tx, categoryId), 'This category')
}

async function refuseParent(tx: Tx, parentId: number | null, categoryId: number | null): Promise<void> {
  if (parentId === null) return
  const above = await listAncestors(tx, parentId)
  if (above.length === 0) throw errors.validation({ parent_id: ['no such category'] })
  if (categoryId !== null && above.includes(categoryId))
    throw errors.validation({ parent_id: ['must not be the category itself or below it'] })
  const levels = categoryId === null ? 1 : await countLevels(tx, categoryId)
  if (above.length + levels > MOST_LEVELS)
    throw errors.validation({ parent_id: [`must leave at most ${MOST_LEVELS} levels of categories`] })
}

async function record(work: Work, action: string, before: Category | null, after: Category | null): Promise<void> {
  const { category_id: entityId } = must(after ?? before, 'category')
  const change = { before: audited(before), after: audited(after), subjectId: null }
  await work.audit({ action, entity: 'category', entityId, change })
}

function audited(category: Category | null) {
  return category && { name: category.name, slug: category.slug, parent_id: category.parent_id }
}
