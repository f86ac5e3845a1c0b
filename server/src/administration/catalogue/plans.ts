import { errors } from '../../platform/shared/errors.ts'
import { isExpected, type Expected } from '../../platform/shared/versions.ts'
import { existing } from '../../platform/shared/must.ts'
import type { Work } from '../../platform/work/work.ts'
import { insertPlan, isPlanUsed, lockPlan, updatePlan, type ListedPlan, type Plan } from './plans.queries.ts'

/** 409 DUPLICATE for a code that is taken. */
export async function addPlan(work: Work, plan: Omit<Plan, 'plan_id' | 'version'>): Promise<ListedPlan> {
  const added = await insertPlan(work.tx, plan)
  if (added === undefined) throw errors.duplicate('code', 'Another plan has this code.')
  await record(work, 'plan.create', null, added)
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
  await record(work, 'plan.update', before, after)
  return { ...after, is_used }
}

async function record(work: Work, action: string, before: Plan | null, after: Plan): Promise<void> {
  const change = { before: before && audited(before), after: audited(after), subjectId: null }
  await work.audit({ action, entity: 'plan', entityId: after.plan_id, change })
}

function audited({ code, name, price_cents, currency, period }: Plan) {
  return { code, name, price_cents, currency, period }
}
