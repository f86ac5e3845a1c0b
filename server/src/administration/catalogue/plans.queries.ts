import { sql, type Selectable, type Updateable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { MarketplaceTables } from '../../platform/tables/marketplace-tables.ts'
import { must } from '../../platform/shared/must.ts'

export type Plan = Selectable<MarketplaceTables['plans']>
export type ListedPlan = Plan & { is_used: boolean }

export async function listPlans(
  db: Db,
  { perPage, offset }: { perPage: number; offset: number },
): Promise<{ rows: ListedPlan[]; total: number }> {
  const { rows } = await sql<ListedPlan>`
    select p.*, ${isUsed()} as is_used from plans p order by p.code limit ${perPage} offset ${offset}`.execute(db)
  const counted = await sql<{ n: number }>`select count(*) as n from plans`.execute(db)
  return { rows, total: must(counted.rows[0], 'count of plans').n }
}

function isUsed() {
  return sql<boolean>`exists (select from subscriptions s where s.plan_id = p.plan_id)`
}

/** Locks the plan: nobody subscribes to it until the transaction ends. */
export async function lockPlan(tx: Tx, planId: number): Promise<Plan | undefined> {
  return tx.selectFrom('plans').selectAll().where('plan_id', '=', planId).forUpdate().executeTakeFirst()
}

export async function isPlanUsed(tx: Tx, planId: number): Promise<boolean> {
  const { rows } = await sql<{ is_used: boolean }>`
    select ${isUsed()} as is_used from plans p where plan_id = ${planId}`.execute(tx)
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
