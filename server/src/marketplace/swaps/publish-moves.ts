import type { ActorKind, SwapStatus } from '../../platform/tables/marketplace-tables.ts'
import type { Work } from '../../platform/work/work.ts'
import { publish } from '../events/publish.ts'
import { recordStateChanges } from '../history/history.ts'
import type { Swap } from './swaps.queries.ts'
import { isClosed } from './transitions.ts'

export type Cause = {
  actor: ActorKind
  /** It is a word, never a person's text. Null when the move itself says why. */
  reason: string | null
  silent?: readonly number[]
}

/** The swaps are as they were before the move; a new one had no status. */
type Moves = Cause & {
  swaps: (Pick<Swap, 'swap_id' | 'requester_id' | 'owner_id' | 'round'> & { status: SwapStatus | null })[]
  to: SwapStatus
  /** The event for the sides, if `to` does not say it. */
  tell?: SwapStatus | 'confirmed'
}

/** Records the moves and tells the sides, but not the one who made them. */
export async function publishMoves(
  work: Work,
  { swaps, to, tell = to, actor, reason, silent = [] }: Moves,
): Promise<void> {
  const change = { entity: 'swap', user_id: null, to_state: to, actor, note: reason } as const
  const changes = swaps.map(({ swap_id, status }) => ({ ...change, entity_id: swap_id, from_state: status }))
  await recordStateChanges(work, changes)
  const excluded: readonly (number | null)[] = actor === 'system' ? silent : [...silent, work.by.userId]
  const events = swaps.map(({ swap_id: swapId, requester_id, owner_id, round, status }) => ({
    name: 'swap.moved' as const,
    facts: { swapId, status: tell, now: to, isUnanswered: isClosed(to) && status === 'pending' && round === 1 },
    by: actor === 'user' ? work.by.userId : null,
    recipients: [requester_id, owner_id].filter((userId) => !excluded.includes(userId)),
  }))
  await publish(work, events)
}
