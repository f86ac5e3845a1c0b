import { errors } from '../../platform/shared/errors.ts'
import { must } from '../../platform/shared/must.ts'
import type { Desk } from '../../platform/tables/office-tables.ts'
import type { Work } from '../../platform/work/work.ts'
import { deleteLease, isProduct, listLeases, takeLease, type Lease } from './desk.queries.ts'

/** A moderator who looks at something renews the lease. */
const LEASE_MS = 2 * 60_000

export type DeskItem = { desk: Desk; productId: number }

/** Nobody else decides about it meanwhile (decision C10). 404 for an unknown product, 409 CONFLICT while somebody
 * else holds it. */
export async function takeAtDesk(work: Work, item: DeskItem): Promise<Lease> {
  const now = work.now()
  if (!(await isProduct(work.tx, item.productId))) throw errors.notFound('This product')
  const holderId = must(work.by.userId, 'moderator')
  await refuseHeldByOther(work, item)
  const isTaken = await takeLease(work.tx, { ...item, holderId, until: work.now(LEASE_MS), now })
  const [lease] = await listLeases(work.tx, item.desk, now, item.productId)
  if (!isTaken) throw errors.conflict(`${lease?.holder_name ?? 'Somebody else'} has taken this product.`)
  return must(lease, 'lease that was taken')
}

/** Changes nothing without a lease of the moderator's own. */
export async function leaveAtDesk(work: Work, item: DeskItem): Promise<number> {
  await deleteLease(work.tx, { ...item, holderId: must(work.by.userId, 'moderator') })
  return item.productId
}

/** 409 CONFLICT for what another moderator looks at. */
export async function refuseHeldByOther(work: Work, { desk, productId }: DeskItem): Promise<void> {
  const [lease] = await listLeases(work.tx, desk, work.now(), productId)
  if (lease !== undefined && lease.holder_id !== work.by.userId)
    throw errors.conflict(`${lease.holder_name} has taken this product.`)
}
