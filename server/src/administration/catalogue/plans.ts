import type { Tx } from '../../platform/db/connect.ts'
import { recordAudit, type Actor, type AuditDeps } from '../../platform/audit/audit.ts'
import { errors } from '../../platform/shared/errors.ts'
import { isExpected, type Expected } from '../../platform/shared/versions.ts'
import { existing } from '../../platform/shared/must.ts'
import { insertPlan, isPlanUsed, lockPlan, updatePlan, type ListedPlan, type Plan } from './plans.queries.ts'

export type PlanChange = Partial<Pick<Plan, 'name' | 'price_cents' | 'currency' | 'period'>>

/** 409 DUPLICATE for a code that is taken. */
export async function addPlan(
  deps: AuditDeps,
  tx: Tx,
  actor: Actor,
  plan: Omit<Plan, 'plan_id' | 'version'>,
): Promise<ListedPlan> {
  const added = await insertPlan(tx, plan)
  if (added === undefined) throw errors.duplicate('code', 'Another plan has this code.')
  await record(tx, deps, actor, { action: 'plan.create', before: null, after: added })
  return { ...added, is_used: false }
}

/** 412 with the plan for another version. 409 CONFLICT for another price, currency or period once anybody has
 * subscribed, because past reports use them. */
export async function changePlan(
  deps: AuditDeps,
  tx: Tx,
  actor: Actor,
  { planId, expected, change }: { planId: number; expected: Expected; change: PlanChange },
): Promise<ListedPlan> {
  const before = existing(await lockPlan(tx, planId), 'This plan')
  const isUsed = await isPlanUsed(tx, planId)
  if (!isExpected(expected, before.version)) throw errors.staleVersion({ ...before, is_used: isUsed })
  const isPriced = (['price_cents', 'currency', 'period'] as const).some(
    (field) => change[field] !== undefined && change[field] !== before[field],
  )
  if (isUsed && isPriced)
    throw errors.conflict('People have subscribed to this plan, so its price, currency and period cannot change.')
  const after = await updatePlan(tx, planId, change)
  await record(tx, deps, actor, { action: 'plan.update', before, after })
  return { ...after, is_used: isUsed }
}

async function record(
  tx: Tx,
  deps: AuditDeps,
  actor: Actor,
  { action, before, after }: { action: string; before: Plan | null; after: Plan },
): Promise<void> {
  const change = { before: before && shown(before), after: shown(after), subjectId: null }
  await recordAudit(tx, deps, actor, { action, entity: 'plan', entityId: after.plan_id, change })
}

function shown({ code, name, price_cents, currency, period }: Plan) {
  return { code, name, price_cents, currency, period }
}
