import { Type, type Static } from 'typebox'
import { Component, pickFields, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import { createCursors, NextCursor, writeRows } from '../../platform/lists/cursor-page.ts'
import { ACTOR_KINDS, DISPUTE_RESOLUTIONS, SWAP_SIDES, SWAP_STATUSES } from '../../platform/shared/words.ts'
import type { ChatLine } from '../../marketplace/chat/chat.queries.ts'
import { Transaction, toTransaction } from '../statistics/swap-report.views.ts'
import type { SwapFile } from './swap-file.ts'

export const Side = Type.Enum(SWAP_SIDES)
export const LINES = createCursors('messages of a swap', ['number'])

const Line = Type.Object({
  id: Type.Integer(),
  sender_id: Type.Integer(),
  text: Type.String(),
  is_read: Type.Boolean(),
  created_at: Timestamp,
})

const Messages = Type.Object({
  data: Type.Array(Line, { description: 'Newest first.' }),
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
      resolution: Type.Union([Type.Enum(DISPUTE_RESOLUTIONS), Type.Null()]),
      note: Nullable(Type.String()),
      resolved_by: Nullable(Type.Integer()),
      resolved_at: Nullable(Timestamp),
    }),
  ),
  history: Type.Array(
    Type.Object({
      from_state: Type.Union([Type.Enum(SWAP_STATUSES), Type.Null()]),
      to_state: Type.Enum(SWAP_STATUSES),
      actor: Type.Enum(ACTOR_KINDS),
      actor_id: Nullable(Type.Integer()),
      note: Nullable(Type.String()),
      at: Timestamp,
    }),
    { description: 'The last 50 changes of its state, newest first.' },
  ),
  messages: Nullable({ ...Messages, description: 'Null unless requested.' }),
})

/** `page`: of the lines that were asked for. */
export function toSwapDetails(
  { swap, rounds, dispute, history, lines }: SwapFile,
  page: { limit: number },
): Static<typeof SwapDetails> {
  return {
    swap: toTransaction(swap),
    rounds,
    dispute: dispute ?? null,
    history: history as Static<typeof SwapDetails>['history'],
    messages: lines === undefined ? null : toMessages(lines, page),
  }
}

function toMessages(lines: ChatLine[], page: { limit: number }): Static<typeof Messages> {
  return writeRows(lines, page, { toCursor: (line) => LINES.write([line.swap_message_id]), view: toLine })
}

function toLine({ swap_message_id: id, body: text, read_at, ...line }: ChatLine): Static<typeof Line> {
  return { ...pickFields(Line, line), id, text, is_read: read_at !== null }
}
