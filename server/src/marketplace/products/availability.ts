import type { Tx } from '../../platform/db/connect.ts'
import type { ActorKind, ProductStatus } from '../../platform/tables/marketplace-tables.ts'
import { errors } from '../../platform/shared/errors.ts'
import { recordStateChanges, type StateChange } from '../history/history.ts'
import { lockProducts } from './lock.ts'
import { listHeld, setStatus, type LockedProduct } from './products.queries.ts'

/** Where a product may go from each availability (decision C9). */
export const AVAILABILITY_MOVES: Readonly<Record<ProductStatus, readonly ProductStatus[]>> = {
  draft: ['active', 'removed'],
  active: ['reserved', 'paused', 'removed'],
  reserved: ['active', 'swapped', 'removed'],
  swapped: ['removed'],
  paused: ['active', 'removed'],
  removed: ['active'],
}

export type AvailabilityChange = {
  productIds: number[]
  to: ProductStatus
  actor: ActorKind
  actorId: number | null
  note: string | null
  at: Date
}

/** The one function that changes availability (decisions C9, D): all products or none, locked in the order of their
 * ids. 404 when one does not exist, 409 INVALID_STATE when one cannot go there. */
export async function changeAvailability(tx: Tx, change: AvailabilityChange): Promise<void> {
  const productIds = [...new Set(change.productIds)]
  if (productIds.length === 0) return
  const products = await lockProducts(tx, productIds)
  if (products.length < productIds.length) throw errors.notFound('This product')
  for (const product of products) refuseMove(product, change.to)
  const [swapped] = await listHeld(tx, idsOf(products, 'removed'))
  if (swapped !== undefined) throw errors.invalidState(`Product ${swapped} was swapped and cannot be restored.`)
  await setStatus(tx, productIds, change.to, change.at)
  const { to: to_state, actor, actorId: actor_id, note, at } = change
  const changes = products.map(({ product_id: entity_id, user_id, status: from_state }): StateChange => {
    return { entity: 'product', entity_id, user_id, from_state, to_state, actor, actor_id, note, at }
  })
  await recordStateChanges(tx, changes)
}

function refuseMove({ product_id, status, deleted_at }: LockedProduct, to: ProductStatus): void {
  if (deleted_at !== null) throw errors.invalidState(`Product ${product_id} is deleted.`)
  if (!AVAILABILITY_MOVES[status].includes(to))
    throw errors.invalidState(`Product ${product_id} is ${status} and cannot become ${to}.`)
}

function idsOf(products: LockedProduct[], status: ProductStatus): number[] {
  return products.filter((product) => product.status === status).map((product) => product.product_id)
}
