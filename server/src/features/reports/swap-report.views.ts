import { Type, type Static } from 'typebox'
import type { Column } from '../../http/csv.ts'
import { Nullable, Timestamp } from '../../http/envelope.ts'
import type { SwapRow } from './swap-report.queries.ts'
import { SWAP_STATUSES } from './swap-summary.ts'

export const PersonView = Type.Object({ id: Type.Integer(), username: Type.String(), name: Type.String() })
const Hours = (what: string) =>
  Nullable(
    Type.Number({ description: `${what}, cut down to the quarter of an hour or coarser; null: there are none.` }),
  )

/** A swap as the reports show it (decision C11). A side is null once its account is purged. */
export const Transaction = Type.Object({
  id: Type.Integer(),
  transaction_id: Type.Integer(),
  status: Type.Enum([...SWAP_STATUSES]),
  origin: Type.Enum(['request', 'match']),
  turn: Type.Enum(['requester', 'owner']),
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

/** What the swaps of the filters come to, whatever their status. */
export const TransactionSummary = Type.Object({
  by_status: Type.Object(Object.fromEntries(SWAP_STATUSES.map((status) => [status, Type.Integer()]))),
  total: Type.Integer(),
  completion_rate: Nullable(Type.Number({ description: 'Completed of all, from 0 to 1; null when there are none.' })),
  median_hours_to_response: Hours('From the request to its first answer'),
  median_hours_to_complete: Hours('From the request to its completion'),
})

export function toTransaction(row: SwapRow): Static<typeof Transaction> {
  const { swap_id, ...rest } = row
  return {
    ...rest,
    id: swap_id,
    transaction_id: swap_id,
    created_at: row.created_at.toISOString(),
    responded_at: row.responded_at?.toISOString() ?? null,
    accepted_at: row.accepted_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
    closed_at: row.closed_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** The columns of the report as CSV; the titles of a side are joined by semicolons. */
export const TRANSACTION_COLUMNS: Column<SwapRow>[] = [
  ['transaction_id', (row) => row.swap_id],
  ['status', (row) => row.status],
  ['origin', (row) => row.origin],
  ['group_id', (row) => row.group_id],
  ['requester_id', (row) => row.requester?.id ?? null],
  ['requester_username', (row) => row.requester?.username ?? null],
  ['requester_name', (row) => row.requester?.name ?? null],
  ['owner_id', (row) => row.owner?.id ?? null],
  ['owner_username', (row) => row.owner?.username ?? null],
  ['owner_name', (row) => row.owner?.name ?? null],
  ['offered', (row) => titlesOf(row, 'offered')],
  ['requested', (row) => titlesOf(row, 'requested')],
  ['rounds', (row) => row.rounds],
  ['created_at', (row) => row.created_at],
  ['responded_at', (row) => row.responded_at],
  ['accepted_at', (row) => row.accepted_at],
  ['completed_at', (row) => row.completed_at],
  ['closed_at', (row) => row.closed_at],
  ['close_reason', (row) => row.close_reason],
]

function titlesOf({ items }: SwapRow, side: 'offered' | 'requested'): string {
  return items
    .filter((item) => item.side === side)
    .map((item) => item.title)
    .join('; ')
}
