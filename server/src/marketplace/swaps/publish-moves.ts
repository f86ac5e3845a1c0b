import type { Tx } from '../../platform/db/connect.ts'
import type { ActorKind, SwapStatus } from '../../platform/tables/marketplace-tables.ts'
import type { Ground } from '../../platform/work/work.ts'
import { publish } from '../events/publish.ts'
import type { Swap } from './swaps.queries.ts'
import { CLOSED } from './transitions.ts'

export type MovedBy = {
  /** A word, never a person's text. Null when the move itself says why. */
  reason: string | null
  actor: ActorKind
  actorId: number | null
  /** Which of the sides get a push: usually not the one that did it. */
  isTold: (userId: number) => boolean
  at: Date
}

/** `from`: null for a new one. */
export type MovedSwap = { swap: Pick<Swap, 'swap_id' | 'requester_id' | 'owner_id' | 'round'>; from: SwapStatus | null }

/** `tell`: the event for the sides, if `to` does not say it: a confirmation or a counter-proposal. */
export async function publishMoves(
  deps: Ground,
  tx: Tx,
  moved: MovedSwap[],
  { to, tell = to }: { to: SwapStatus; tell?: SwapStatus | 'confirmed' },
  { reason, actor, actorId, isTold, at }: MovedBy,
): Promise<void> {
  const by = { user_id: null, to_state: to, actor, actor_id: actorId, note: reason, at }
  await publish(
    deps,
    tx,
    moved.map(({ swap: { swap_id: swapId, requester_id, owner_id, round }, from }) => ({
      name: 'swap.moved',
      facts: { swapId, status: tell, now: to, isUnanswered: isClosed(to) && from === 'pending' && round === 1 },
      by: actor === 'user' ? actorId : null,
      told: [requester_id, owner_id].filter((userId) => userId !== null && isTold(userId)),
      changes: [{ ...by, entity: 'swap', entity_id: swapId, from_state: from }],
    })),
  )
}

function isClosed(status: SwapStatus): boolean {
  return CLOSED.some((closed) => closed === status)
}
