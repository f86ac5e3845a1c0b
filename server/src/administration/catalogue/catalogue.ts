import type { Tx } from '../../platform/db/connect.ts'
import { errors, isExpected, type Expected, existing } from '../../platform/shared/errors.ts'
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
  insertPlan,
  isPlanUsed,
  lockPlan,
  updatePlan,
  type ListedPlan,
  type Plan,
} from './catalogue.queries.ts'

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
  await record(work, { entity: 'category', verb: 'create', id: added.category_id }, [null, added])
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
  await record(work, { entity: 'category', verb: 'update', id: categoryId }, [before, after])
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
  await record(work, { entity: 'category', verb: 'delete', id: categoryId }, [before, null])
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

/** 409 DUPLICATE for a code that is taken. */
export async function addPlan(work: Work, plan: Omit<Plan, 'plan_id' | 'version'>): Promise<ListedPlan> {
  const added = await insertPlan(work.tx, plan)
  if (added === undefined) throw errors.duplicate('code', 'Another plan has this code.')
  await record(work, { entity: 'plan', verb: 'create', id: added.plan_id }, [null, added])
  return { ...added, is_used: false }
}

type PlanChange = Partial<Pick<Plan, 'name' | 'price_cents' | 'currency' | 'period'>>

/** 412 with the plan for another version. 409 CONFLICT for another price, currency or period once anybody has
 * subscribed, because past reports use them. */
export async function changePlan(
  work: Work,
  { planId, expected, change }: { planId: number; expected: Expected; change: PlanChange },
): Promise<ListedPlan> {
  const before = existing(await lockPlan(work.tx, planId), 'This plan')
  const is_used = await isPlanUsed(work.tx, planId)
  if (!isExpected(expected, before.version)) throw errors.staleVersion({ ...before, is_used })
  const isPriced = (['price_cents', 'currency', 'period'] as const).some(
    (field) => change[field] !== undefined && change[field] !== before[field],
  )
  if (is_used && isPriced)
    throw errors.conflict('People have subscribed to this plan, so its price, currency and period cannot change.')
  const after = await updatePlan(work.tx, planId, change)
  await record(work, { entity: 'plan', verb: 'update', id: planId }, [before, after])
  return { ...after, is_used }
}

async function record(
  work: Work,
  { entity, verb, id: entityId }: { entity: 'category' | 'plan'; verb: 'create' | 'update' | 'delete'; id: number },
  [before, after]: [Category | Plan | null, Category | Plan | null],
): Promise<void> {
  const change = { before: before && audited(before), after: after && audited(after) }
  await work.audit({ action: `${entity}.${verb}`, entity, entityId, change })
}

const NOT_AUDITED = ['category_id', 'plan_id', 'version', 'is_used']

function audited(row: Category | Plan): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !NOT_AUDITED.includes(name)))
}
