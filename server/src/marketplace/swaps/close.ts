import type { Work } from '../../platform/work/work.ts'
import { changeAvailability } from '../products/availability.ts'
import { publishMoves, type Cause } from './publish-moves.ts'
import { listSwapProducts, releaseItems } from './swap-items.queries.ts'
import { endDisputes, endSwaps, lockProposalsWith, type Swap } from './swaps.queries.ts'
import type { ClosedStatus } from './transitions.ts'

export type Closing = Cause & {
  swaps: Swap[]
  to: ClosedStatus
  reason: string
  /** How a dispute was resolved, in an administrator's words. */
  note?: string | undefined
}

/** Ends swaps: a completed one gives its products away, and proposals of others that want them are invalidated; any
 * other frees them. The caller holds swaps and products locked. */
export async function closeSwaps(work: Work, { swaps, note, ...closing }: Closing): Promise<void> {
  if (swaps.length === 0) return
  const { tx } = work
  const { to, reason, actor } = closing
  const swapIds = swaps.map(({ swap_id }) => swap_id)
  const isExchange = to === 'completed'
  await endSwaps(tx, swapIds, { status: to, reason, now: work.now() })
  await endDisputes(
    tx,
    swaps.filter(({ status }) => status === 'disputed').map(({ swap_id }) => swap_id),
    {
      resolution: isExchange || to === 'cancelled' ? to : 'invalidated',
      note: note ?? null,
      resolvedBy: actor === 'administrator' ? work.by.userId : null,
      at: work.now(),
    },
  )
  const productIds = isExchange ? await listSwapProducts(tx, swapIds) : await releaseItems(tx, swapIds)
  await changeAvailability(work, { productIds, to: isExchange ? 'swapped' : 'active', actor, note: `swap_${to}` })
  await publishMoves(work, { swaps, ...closing })
  if (!isExchange) return
  const others = await lockProposalsWith(tx, productIds)
  await closeSwaps(work, { swaps: others, to: 'invalidated', reason: 'product_swapped', actor: 'system' })
}
