import type { SkipReason } from '../../platform/tables/tables.ts'
import { end, waits } from './ledger.ts'
import { skip, type Plan } from './plan.ts'
import type { WorkRow } from './work.queries.ts'

/** Copies that wait end with `code`; users who are not decided yet are skipped for `reason`. */
export function endWork(plan: Plan, work: WorkRow, { code, reason }: { code: string; reason: SkipReason }): void {
  if (work.provider === null) return skip(plan, work, work.places, reason)
  const ledger = plan.ledger(work.batchId)
  plan.changed.push(work.batchId)
  for (const place of work.places) if (waits(ledger, place)) end(ledger, place, code, plan.now)
}
