import type { ActorKind, ProductStatus } from '../../platform/tables/marketplace-tables.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Work } from '../../platform/work/work.ts'
import { recordStateChanges } from '../history/history.ts'
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

export type AvailabilityChange = { productIds: number[]; to: ProductStatus; actor: ActorKind; note?: string | null }

/** The one function that changes availability (decisions C9, D): all products or none, locked in the order of their
 * ids. 404 when one does not exist, 409 INVALID_STATE when one cannot go there. */
export async function changeAvailability(work: Work, { to, actor, note, ...named }: AvailabilityChange): Promise<void> {
  const productIds = [...new Set(named.productIds)]
  if (productIds.length === 0) return
  const products = await lockProducts(work.tx, productIds)
  if (products.length < productIds.length) throw errors.notFound('This product')
  for (const product of products) refuseMove(product, to)
  const removed = products.filter(({ status }) => status === 'removed').map(({ product_id }) => product_id)
  const [swapped] = await listHeld(work.tx, removed)
  if (swapped !== undefined) throw errors.invalidState(`Product ${swapped} was swapped and cannot be restored.`)
  await setStatus(work.tx, productIds, to, work.now())
  const changes = products.map(({ product_id: entity_id, user_id, status: from_state }) => {
    return { entity: 'product', entity_id, user_id, from_state, to_state: to, actor, note: note ?? null } as const
  })
  await recordStateChanges(work, changes)
}

function refuseMove({ product_id, status, deleted_at }: LockedProduct, to: ProductStatus): void {
  if (deleted_at !== null) throw errors.invalidState(`Product ${product_id} is deleted.`)
  if (!AVAILABILITY_MOVES[status].includes(to))
    throw errors.invalidState(`Product ${product_id} is ${status} and cannot become ${to}.`)
}
