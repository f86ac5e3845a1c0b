import type { Selectable } from 'kysely'
import type { Tables } from '../../platform/tables/schema.ts'

/** Spec: states and transitions; decision B17. */
export const STATES = [
  'Created',
  'Queued',
  'Pending Receipt',
  'Failed',
  'Permanently Failed',
  'Delivered',
  'Delivery Failed',
  'Expired',
  'Shown',
  'Dismissed',
  'Opened',
  'Completed',
] as const
export type NotificationState = (typeof STATES)[number]

export type StateFacts = Pick<
  Selectable<Tables['notifications']>,
  'is_send' | 'is_delivered' | 'is_open' | 'attempts' | 'error_message' | 'settled_at' | 'shown_at' | 'dismissed_at'
>

/** Acts of the user outweigh answers of the provider: a tap may come before the receipt. */
export function toState(facts: StateFacts): NotificationState {
  if (facts.is_open) return facts.is_send && facts.is_delivered !== null ? 'Completed' : 'Opened'
  if (facts.dismissed_at !== null) return 'Dismissed'
  if (facts.shown_at !== null) return 'Shown'
  return facts.is_send ? stateAfterTicket(facts) : stateBeforeTicket(facts)
}

function stateAfterTicket({ is_delivered, error_message }: StateFacts): NotificationState {
  if (is_delivered === null) return 'Pending Receipt'
  if (is_delivered) return 'Delivered'
  return error_message === 'ReceiptExpired' ? 'Expired' : 'Delivery Failed'
}

function stateBeforeTicket({ settled_at, error_message, attempts }: StateFacts): NotificationState {
  if (settled_at !== null) return error_message === 'MessageExpired' ? 'Expired' : 'Permanently Failed'
  if (error_message !== null) return 'Failed'
  return attempts > 0 ? 'Queued' : 'Created'
}
