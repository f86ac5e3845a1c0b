import type { PushDeps } from '../../push/deps.ts'
import { recordAuditAlone, type Actor } from '../../platform/audit/audit.ts'

type Report = { filter: Record<string, unknown>; isSearch: boolean; order?: Record<string, unknown> }

/** It is called before a report leaves as a file: 429 beyond the limit of exports, and an audit entry without the
 * search. */
export async function beginCsv(deps: PushDeps, actor: Actor, name: string, request: Report): Promise<void> {
  await deps.rateLimits.hit('export', String(actor.userId))
  const { filter, isSearch, ...order } = request
  const after = { format: 'csv', filter: { ...filter, is_search: isSearch }, ...order }
  const change = { before: null, after, subjectId: null }
  await recordAuditAlone(deps, actor, { action: `${name}.export`, entity: 'report', change })
}
