import { Type, type Static } from 'typebox'
import { Component, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import { cursorsOf, NextCursor } from '../../platform/lists/cursor-page.ts'
import { SWAP_STATUSES } from '../reports/swap-summary.ts'
import type { SwapStatus } from '../../platform/tables/marketplace-tables.ts'
import { Transaction, toTransaction } from '../reports/swap-report.views.ts'
import type { SwapFile } from './swap-file.ts'

export const Side = Type.Enum(['requester', 'owner'])
const MESSAGES = cursorsOf('messages of a swap', ['number'])

const Messages = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.Integer(),
      sender_id: Type.Integer(),
      text: Type.String(),
      is_read: Type.Boolean(),
      created_at: Timestamp,
    }),
    { description: 'Newest first.' },
  ),
  next_cursor: NextCursor,
})

export const SwapDetails = Component('SwapDetails', {
  swap: Transaction,
  rounds: Type.Array(
    Type.Object({
      round: Type.Integer(),
      proposed_by: Side,
      offered: Type.Array(Type.Integer()),
      requested: Type.Array(Type.Integer()),
      note: Nullable(Type.String()),
      created_at: Timestamp,
    }),
    { description: 'The last 50 rounds, newest first.' },
  ),
  dispute: Nullable(
    Type.Object({
      side: Type.Union([Side, Type.Null()]),
      reason: Nullable(Type.String()),
      opened_at: Timestamp,
      resolution: Type.Union([Type.Enum(['completed', 'cancelled', 'invalidated']), Type.Null()]),
      note: Nullable(Type.String()),
      resolved_by: Nullable(Type.Integer()),
      resolved_at: Nullable(Timestamp),
    }),
  ),
  history: Type.Array(
    Type.Object({
      from_state: Type.Union([Type.Enum([...SWAP_STATUSES]), Type.Null()]),
      to_state: Type.Enum([...SWAP_STATUSES]),
      actor: Type.Enum(['user', 'administrator', 'system']),
      actor_id: Nullable(Type.Integer()),
      note: Nullable(Type.String()),
      at: Timestamp,
    }),
    { description: 'The last 50 changes of its state, newest first.' },
  ),
  messages: Nullable({ ...Messages, description: 'Null unless requested.' }),
})

export function beforeOf(query: { cursor?: string }): number | undefined {
  return MESSAGES.read(query)?.[0]
}

/** `limit`: how many lines are shown; one more says that there are older ones. */
export function toSwapDetails(
  { swap, rounds, dispute, history, lines }: SwapFile,
  limit: number,
): Static<typeof SwapDetails> {
  const shown = lines?.slice(0, limit)
  const last = shown?.at(-1)
  return {
    swap: toTransaction(swap),
    rounds,
    dispute: dispute ?? null,
    history: history.map((change) => ({
      ...change,
      from_state: change.from_state as SwapStatus | null,
      to_state: change.to_state as SwapStatus,
    })),
    messages:
      lines === undefined || shown === undefined
        ? null
        : {
            data: shown.map((line) => ({
              id: line.swap_message_id,
              sender_id: line.sender_id,
              text: line.body,
              is_read: line.read_at !== null,
              created_at: line.created_at,
            })),
            next_cursor: lines.length > limit && last ? MESSAGES.write([last.swap_message_id]) : null,
          },
  }
}
