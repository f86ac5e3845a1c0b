import { sql, type Selectable, type Updateable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { PageBounds, PageRows } from '../../platform/lists/pagination.ts'
import type { MarketplaceTables } from '../../platform/tables/marketplace-tables.ts'
import { must } from '../../platform/shared/must.ts'

export type Category = Selectable<MarketplaceTables['categories']>
export type ListedCategory = Category & { is_used: boolean }

const LOCK = 7_206_011

/** Changes of categories wait for one another until the transaction ends, because their tree is one. */
export async function lockCategories(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
}

export async function listCategories(db: Db, { perPage, offset }: PageBounds): Promise<PageRows<ListedCategory>> {
  const { rows } = await sql<ListedCategory>`
    select c.*, ${IS_CATEGORY_USED} as is_used from categories c
    order by lower(c.name), c.category_id limit ${perPage} offset ${offset}`.execute(db)
  const counted = await sql<{ n: number }>`select count(*) as n from categories`.execute(db)
  return { rows, total: must(counted.rows[0], 'count of categories').n }
}

const IS_CATEGORY_USED = sql<boolean>`(exists (select from products p where p.category_id = c.category_id)
  or exists (select from kept_revisions k where k.category_id = c.category_id)
  or exists (select from categories below where below.parent_id = c.category_id))`

export async function findCategory(tx: Tx, categoryId: number): Promise<ListedCategory | undefined> {
  const { rows } = await sql<ListedCategory>`
    select c.*, ${IS_CATEGORY_USED} as is_used from categories c where category_id = ${categoryId}`.execute(tx)
  return rows[0]
}

/** Lists the category and its ancestors, child first. */
export async function listAncestors(tx: Tx, categoryId: number): Promise<number[]> {
  const { rows } = await sql<{ category_id: number }>`
    with recursive above as (
      select category_id, parent_id, 1 as depth from categories where category_id = ${categoryId}
      union all
      select c.category_id, c.parent_id, a.depth + 1 from above a join categories c on c.category_id = a.parent_id
      where a.depth < 100)
    select category_id from above order by depth`.execute(tx)
  return rows.map((row) => row.category_id)
}

export async function countLevels(tx: Tx, categoryId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with recursive below as (
      select category_id, 1 as depth from categories where category_id = ${categoryId}
      union all
      select c.category_id, b.depth + 1 from below b join categories c on c.parent_id = b.category_id
        where b.depth < 100)
    select coalesce(max(depth), 0) as n from below`.execute(tx)
  return must(rows[0], 'count of levels').n
}

/** Undefined when its slug is taken. */
export async function insertCategory(
  tx: Tx,
  category: Pick<Category, 'parent_id' | 'slug' | 'name'>,
): Promise<Category | undefined> {
  return tx
    .insertInto('categories')
    .values(category)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function updateCategory(
  tx: Tx,
  categoryId: number,
  change: Updateable<MarketplaceTables['categories']>,
): Promise<Category> {
  return tx
    .updateTable('categories')
    .set({ ...change, version: sql<number>`version + 1` })
    .where('category_id', '=', categoryId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteCategory(tx: Tx, categoryId: number): Promise<void> {
  await tx.deleteFrom('categories').where('category_id', '=', categoryId).execute()
}

export type Plan = Selectable<MarketplaceTables['plans']>
export type ListedPlan = Plan & { is_used: boolean }

export async function listPlans(db: Db, { perPage, offset }: PageBounds): Promise<PageRows<ListedPlan>> {
  const { rows } = await sql<ListedPlan>`
    select p.*, ${IS_PLAN_USED} as is_used from plans p order by p.code limit ${perPage} offset ${offset}`.execute(db)
  const counted = await sql<{ n: number }>`select count(*) as n from plans`.execute(db)
  return { rows, total: must(counted.rows[0], 'count of plans').n }
}

// PostgreSQL would read all subscriptions for each plan that has none, where most have one plan.
const IS_PLAN_USED = sql<boolean>`
  coalesce((select min(s.plan_id) from subscriptions s where s.plan_id >= p.plan_id) = p.plan_id, false)`

/** Locks the plan: nobody subscribes to it until the transaction ends. */
export async function lockPlan(tx: Tx, planId: number): Promise<Plan | undefined> {
  return tx.selectFrom('plans').selectAll().where('plan_id', '=', planId).forUpdate().executeTakeFirst()
}

export async function isPlanUsed(tx: Tx, planId: number): Promise<boolean> {
  const { rows } = await sql<{ is_used: boolean }>`
    select ${IS_PLAN_USED} as is_used from plans p where plan_id = ${planId}`.execute(tx)
  return rows[0]?.is_used ?? false
}

/** Undefined when its code is taken. */
export async function insertPlan(tx: Tx, plan: Omit<Plan, 'plan_id' | 'version'>): Promise<Plan | undefined> {
  return tx
    .insertInto('plans')
    .values(plan)
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function updatePlan(
  tx: Tx,
  planId: number,
  change: Updateable<MarketplaceTables['plans']>,
): Promise<Plan> {
  return tx
    .updateTable('plans')
    .set({ ...change, version: sql<number>`version + 1` })
    .where('plan_id', '=', planId)
    .returningAll()
    .executeTakeFirstOrThrow()
}
