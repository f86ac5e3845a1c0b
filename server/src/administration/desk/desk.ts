import type { Deps } from '../../deps.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { must } from '../../platform/shared/must.ts'
import type { Desk } from '../../platform/tables/office-tables.ts'
import { deleteLease, isProduct, listLeases, takeLease, type Lease } from './desk.queries.ts'

/** A moderator who looks at something renews the lease. */
const LEASE_MS = 2 * 60_000

export type DeskItem = { desk: Desk; productId: number }

/** Nobody else decides about it meanwhile (decision C10). 404 for an unknown product, 409 CONFLICT while somebody
 * else holds it. */
export async function takeAtDesk(deps: Pick<Deps, 'clock'>, tx: Tx, item: DeskItem, actor: Actor): Promise<Lease> {
  const now = fromNow(deps.clock)
  if (!(await isProduct(tx, item.productId))) throw errors.notFound('This product')
  const holderId = must(actor.userId, 'moderator')
  await refuseHeldByOther(deps, tx, item, actor)
  const isTaken = await takeLease(tx, { ...item, holderId, until: fromNow(deps.clock, LEASE_MS), now })
  const [lease] = await listLeases(tx, item.desk, now, item.productId)
  if (!isTaken) throw errors.conflict(`${lease?.holder_name ?? 'Somebody else'} has taken this product.`)
  return must(lease, 'lease that was taken')
}

/** It does nothing if the actor does not hold the lease. */
export async function leaveAtDesk(tx: Tx, item: DeskItem, actor: Actor): Promise<DeskItem> {
  await deleteLease(tx, { ...item, holderId: must(actor.userId, 'moderator') })
  return item
}

export function leasesOf({ db, clock }: { db: Db } & Pick<Deps, 'clock'>, desk: Desk): Promise<Lease[]> {
  return listLeases(db, desk, fromNow(clock))
}

/** 409 CONFLICT for what another moderator looks at. */
export async function refuseHeldByOther(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  { desk, productId }: DeskItem,
  actor: Actor,
): Promise<void> {
  const [lease] = await listLeases(tx, desk, fromNow(clock), productId)
  if (lease !== undefined && lease.holder_id !== actor.userId)
    throw errors.conflict(`${lease.holder_name} has taken this product.`)
}
