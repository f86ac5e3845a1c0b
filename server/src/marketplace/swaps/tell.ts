import type { Tx } from '../../platform/db/connect.ts'
import type { SwapStatus } from '../../platform/db/marketplace-tables.ts'
import { sendEach, type AutomaticDeps } from '../../push/messages/automatic.ts'
import type { Swap } from './swaps.queries.ts'

const BODIES: Record<SwapStatus, string> = {
  pending: 'You have a new swap proposal.',
  countered: 'You have a counter-proposal for your swap.',
  accepted: 'Your swap was accepted.',
  completed: 'Your swap is complete.',
  declined: 'Your swap proposal was declined.',
  withdrawn: 'A swap proposal was withdrawn.',
  expired: 'A swap proposal has expired.',
  cancelled: 'Your swap was cancelled.',
  disputed: 'There is a dispute about your swap.',
  invalidated: 'A swap is no longer possible.',
}

const CONFIRMED = 'The other side has confirmed your swap.'

/**
 * Tells the sides of swaps that a swap's state has changed (decision D; spec: non-promotional events), as part of the
 * transaction in which it does. The texts name no one.
 */
export async function tellSides(
  deps: AutomaticDeps,
  tx: Tx,
  swaps: Pick<Swap, 'swap_id' | 'requester_id' | 'owner_id'>[],
  status: SwapStatus | 'confirmed',
  isTold: (userId: number) => boolean,
): Promise<void> {
  const text = status === 'confirmed' ? CONFIRMED : BODIES[status]
  await sendEach(
    deps,
    tx,
    swaps.map(({ swap_id, requester_id, owner_id }) => ({
      userIds: [requester_id, owner_id].filter((userId) => userId !== null).filter(isTold),
      content: { title: 'Swap update', text, data: { event: 'swap_status', transaction_id: swap_id, status } },
      place: { screen: 'swap', id: swap_id },
    })),
  )
}
