import type { Deps } from '../../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import type { ReportReason } from '../../platform/tables/marketplace-tables.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { existing } from '../../platform/shared/must.ts'
import { recordStateChanges } from '../history/history.ts'
import { findOwnerOfVisible, insertReport, type Report } from './reports.queries.ts'

export const REPORT_REASONS = [
  'prohibited_item',
  'scam',
  'misleading',
  'offensive',
  'counterfeit',
  'duplicate',
  'unsafe',
  'other',
] as const satisfies ReportReason[]

/** A block does not protect from reports. 404 when others do not see the product, 409 INVALID_STATE for one's own,
 * 409 DUPLICATE while a report of theirs about it is undecided. */
export async function reportProduct(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  given: { productId: number; reporterId: number; reason: ReportReason; details: string | null },
): Promise<Report> {
  const { productId, reporterId, reason, details } = given
  const ownerId = existing(await findOwnerOfVisible(tx, productId), 'This product')
  if (ownerId === reporterId) throw errors.invalidState('You cannot report your own product.')
  const at = fromNow(deps.clock)
  const report = { product_id: productId, reporter_id: reporterId, reason, details, created_at: at, updated_at: at }
  const stored = await insertReport(tx, report)
  if (stored === undefined) throw errors.duplicate('product_id', 'You have already reported this product.')
  const by = { user_id: reporterId, actor: 'user', actor_id: reporterId, note: null, at } as const
  const made = { entity: 'report', entity_id: stored.report_id, from_state: null, to_state: stored.status } as const
  await recordStateChanges(tx, [{ ...made, ...by }])
  return stored
}
