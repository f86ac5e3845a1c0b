import type { Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { recordAudit, type Actor } from '../../platform/audit/audit.ts'
import type { Ground } from '../../platform/work/work.ts'
import { decideReports } from '../../marketplace/product-reports/outcomes.ts'
import { lockUndecided } from '../../marketplace/product-reports/reports.queries.ts'
import { refuseHeldByOther } from '../desk/desk.ts'
import { releaseProduct, removeFreed } from '../products/removal.ts'
import { warnOwner } from './reports.ts'

type Decision = {
  productId: number
  action: 'remove_product' | 'warn_owner' | 'dismiss'
  note: string | null
  /** What the owner is told; absent: the usual words. */
  message?: string
}

export type DecidedProduct = { productId: number; decided: number }

/** Decides all undecided reports of a product; the reporters are told. 409 CONFLICT while another moderator looks at
 * it, INVALID_STATE when none is undecided; 422 on a message when they are dismissed. */
export async function decideReportedProduct(
  deps: Ground,
  tx: Tx,
  actor: Actor,
  { productId, action, note, message }: Decision,
): Promise<DecidedProduct> {
  if (message !== undefined && action === 'dismiss')
    throw errors.validation({
      message: ['is not allowed with dismiss, because the owner is not informed about dismissed reports'],
    })
  const by = { actorId: actor.userId, at: fromNow(deps.clock), note }
  await refuseHeldByOther(deps, tx, { desk: 'reports', productId }, actor)
  const free = { productId, expected: undefined, actorId: actor.userId, reason: 'product_removed' }
  const product = action === 'remove_product' ? await releaseProduct(deps, tx, free) : undefined
  const reports = await lockUndecided(tx, productId)
  if (reports.length === 0) throw errors.invalidState(`Product ${productId} has no undecided reports.`)
  if (product) await removeFreed(deps, tx, product, { ...by, ...(message !== undefined && { message }) })
  else if (action === 'warn_owner') {
    await decideReports(deps, tx, reports, { ...by, to: 'actioned', resolution: 'warned' })
    await warnOwner(deps, tx, productId, message)
  } else await decideReports(deps, tx, reports, { ...by, to: 'dismissed', resolution: null })
  await recordAudit(tx, deps, actor, {
    action: 'reported-product.decide',
    entity: 'product',
    entityId: productId,
    change: { before: null, after: { decision: action, reports: reports.length }, subjectId: null },
  })
  return { productId, decided: reports.length }
}
