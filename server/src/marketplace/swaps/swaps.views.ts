import { Type, type Static } from 'typebox'
import { Component, pickFields, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import { DISPUTE_RESOLUTIONS, OPEN_SWAP, PRODUCT_STATUSES, SWAP_SIDES } from '../../platform/shared/words.ts'
import { NextCursor, writeRows } from '../../platform/lists/cursor-page.ts'
import { Person, toPerson } from '../../platform/people/person.ts'
import type { ChatLine } from '../chat/chat.queries.ts'
import { ChatMessage, LINES, toChatMessage } from '../chat/chat.views.ts'
import type { SwapEntry, SwapScreen } from './swap-screens.ts'
import { CLOSED, isProposed, MOVES_OF_SIDES } from './transitions.ts'

const Side = Type.Enum(SWAP_SIDES)
const Image = Nullable(Type.String({ description: 'Null: there is none, or the product is off the market.' }))

const Bundle = Component('SwapBundle', { count: Type.Integer(), title: Nullable(Type.String()), image_url: Image })

const ENTRY = {
  id: Type.Integer(),
  transaction_id: Type.Integer(),
  status: Type.Enum([...OPEN_SWAP, ...CLOSED]),
  origin: Type.Enum(['request', 'match']),
  group_id: Nullable(Type.Integer()),
  side: Type.Enum(SWAP_SIDES, { description: 'Which side you are.' }),
  other: Nullable(Person),
  offered: { ...Bundle, description: 'The number of the requester’s products, and the first of them.' },
  requested: { ...Bundle, description: 'What the owner gives.' },
  turn: Type.Enum(SWAP_SIDES, { description: 'The side whose answer the proposal waits for.' }),
  is_my_turn: Type.Boolean({ description: 'The other side waits for your answer or confirmation.' }),
  moves: Type.Array(Type.Enum(MOVES_OF_SIDES), { description: 'The moves that you may make now.' }),
  can_message: Type.Boolean(),
  confirmed: Type.Object({ me: Type.Boolean(), other: Type.Boolean() }),
  last_message: Nullable(
    Type.Object({
      id: Type.Integer(),
      sender_id: Type.Integer(),
      text: Type.String({ description: 'Its first 200 characters.' }),
      created_at: Timestamp,
    }),
  ),
  unread_count: Type.Integer(),
  active_at: { ...Timestamp, description: 'Of the last move or message.' },
  round: Type.Integer(),
  expires_at: Nullable({ ...Timestamp, description: 'Null when nothing waits for an answer.' }),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
}

export const Entry = Component('OwnSwap', ENTRY)

const Rounds = Type.Array(
  Type.Object({
    round: Type.Integer(),
    proposed_by: Side,
    offered: Type.Array(Type.Integer()),
    requested: Type.Array(Type.Integer()),
    note: Nullable(Type.String()),
    created_at: Timestamp,
  }),
  { description: 'The last 50 rounds, newest first.' },
)

const Dispute = Type.Object({
  side: Type.Union([Side, Type.Null()]),
  reason: Nullable(Type.String()),
  opened_at: Timestamp,
  resolution: Type.Union([Type.Enum(DISPUTE_RESOLUTIONS), Type.Null()]),
  resolved_at: Nullable(Timestamp),
})

export const Screen = Component('OwnSwapDetails', {
  ...ENTRY,
  items: Type.Array(
    Type.Object({
      product_id: Type.Integer(),
      side: Type.Enum(['offered', 'requested']),
      title: Type.String(),
      image_url: Image,
      status: Type.Enum(PRODUCT_STATUSES),
    }),
  ),
  rounds: Rounds,
  dispute: Nullable(Dispute),
  messages: Type.Object({
    data: Type.Array(ChatMessage),
    next_cursor: { ...NextCursor, description: 'For older ones, at `GET /api/v1/swaps/{id}/messages`.' },
  }),
})

export function toSwapEntry(swap: SwapEntry): Static<typeof Entry> {
  const { last_message: last } = swap
  const isProposal = isProposed(swap.status)
  return {
    ...pickFields(Entry, swap),
    id: swap.swap_id,
    transaction_id: swap.swap_id,
    other: swap.other && toPerson(swap.other),
    is_my_turn: swap.isMyTurn,
    can_message: swap.canMessage,
    // The database writes times in JSON in its own time zone.
    last_message: last && { ...last, created_at: new Date(last.created_at) },
    unread_count: swap.unread,
    active_at: new Date(Math.floor(swap.active_micros / 1_000)),
    expires_at: isProposal ? swap.expires_at : null,
  }
}

/** `limit`: of the lines that were asked for. */
export function toSwapScreen(swap: SwapScreen, limit: number): Static<typeof Screen> {
  return {
    ...toSwapEntry(swap),
    items: swap.items,
    rounds: swap.rounds,
    dispute: swap.dispute === undefined ? null : pickFields(Dispute, swap.dispute),
    messages: writeRows(swap.lines, { limit }, { toCursor: toOlder, view: toChatMessage }),
  }
}

function toOlder(line: ChatLine): string {
  return LINES.write(['before', line.swap_message_id])
}
