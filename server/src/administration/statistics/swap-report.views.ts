import { Type, type Static } from 'typebox'
import { columnsFrom } from '../../platform/http/csv.ts'
import { Component, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import { SWAP_SIDES, SWAP_STATUSES } from '../../platform/shared/words.ts'
import type { SwapRow } from './swap-report.queries.ts'

export const PersonView = Component('UserReference', {
  id: Type.Integer(),
  username: Type.String(),
  name: Type.String(),
})
const Hours = (what: string) =>
  Nullable(
    Type.Number({ description: `${what}, rounded down to a quarter of an hour or more; null if there are none.` }),
  )

/** A side is null once its account is purged. */
export const Transaction = Component('Swap', {
  id: Type.Integer(),
  transaction_id: Type.Integer(),
  status: Type.Enum(SWAP_STATUSES),
  origin: Type.Enum(['request', 'match']),
  turn: Type.Enum(SWAP_SIDES),
  group_id: Nullable(Type.Integer()),
  requester: Nullable(PersonView),
  owner: Nullable(PersonView),
  items: Type.Array(
    Type.Object({ product_id: Type.Integer(), title: Type.String(), side: Type.Enum(['offered', 'requested']) }),
  ),
  rounds: Type.Integer(),
  close_reason: Nullable(Type.String()),
  created_at: Timestamp,
  responded_at: Nullable(Timestamp),
  accepted_at: Nullable(Timestamp),
  completed_at: Nullable(Timestamp),
  closed_at: Nullable(Timestamp),
  expires_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
})

export const TransactionSummary = Component('SwapSummary', {
  by_status: Type.Object(Object.fromEntries(SWAP_STATUSES.map((status) => [status, Type.Integer()]))),
  total: Type.Integer(),
  completion_rate: Nullable(
    Type.Number({ description: 'Completed swaps divided by all swaps, from 0 to 1; null when there are none.' }),
  ),
  median_hours_to_response: Hours('From the request to its first answer'),
  median_hours_to_complete: Hours('From the request to its completion'),
})

export function toTransaction(row: SwapRow): Static<typeof Transaction> {
  const { swap_id: id, ...rest } = row
  return { ...rest, id, transaction_id: id }
}

type TransactionView = Static<typeof Transaction>

/** The products of a side are joined by semicolons. */
const COLUMNS = columnsFrom<TransactionView>(Transaction, {
  items: [
    ['offered_ids', (view) => join(view, 'offered', 'product_id')],
    ['offered', (view) => join(view, 'offered', 'title')],
    ['requested_ids', (view) => join(view, 'requested', 'product_id')],
    ['requested', (view) => join(view, 'requested', 'title')],
  ],
})

export const TRANSACTIONS = { name: 'transactions', columns: COLUMNS, toView: toTransaction }

function join({ items }: TransactionView, side: 'offered' | 'requested', what: 'product_id' | 'title'): string {
  const ofSide = items.filter((item) => item.side === side)
  return ofSide.map((item) => item[what]).join('; ')
}
