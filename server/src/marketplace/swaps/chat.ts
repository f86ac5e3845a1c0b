import type { Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { publish } from '../events/publish.ts'
import type { SwapDeps } from './propose.ts'
import { insertSwapMessage } from './swap-messages.queries.ts'
import { lockSwap } from './swaps.queries.ts'

const MOST_CHARACTERS = 2_000
const OVER = new Set(['declined', 'withdrawn', 'expired', 'cancelled', 'invalidated'])

/**
 * Says something to the other side of a swap, who gets a "new message" push that does not repeat it. Gives the
 * message's id. 404 for strangers; 409 INVALID_STATE when the swap has ended without an exchange, or the other side is
 * gone; 422 on an empty text, or one above 2,000 characters.
 */
export async function sendSwapMessage(
  deps: SwapDeps,
  tx: Tx,
  { swapId, senderId, text }: { swapId: number; senderId: number; text: string },
): Promise<number> {
  if (text.trim() === '' || text.length > MOST_CHARACTERS)
    throw errors.validation({ text: [`must have 1 to ${MOST_CHARACTERS} characters`] })
  const swap = await lockSwap(tx, swapId)
  if (swap?.requester_id !== senderId && swap?.owner_id !== senderId) throw errors.notFound('This swap')
  const receiverId = swap.requester_id === senderId ? swap.owner_id : swap.requester_id
  if (OVER.has(swap.status) || receiverId === null) throw errors.invalidState('The conversation has ended.')
  const message = { swap_id: swapId, sender_id: senderId, body: text, created_at: fromNow(deps.clock) }
  const id = await insertSwapMessage(tx, message)
  await publish(deps, tx, [
    { name: 'swap.message', facts: { swapId, messageId: id }, by: senderId, told: [receiverId] },
  ])
  return id
}
