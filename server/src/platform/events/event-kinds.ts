/** Events that push a non-promotional message (spec: events). */
export const EVENT_KINDS = ['swap_match', 'new_message', 'swap_status', 'group_join_request', 'system'] as const
export type EventKind = (typeof EVENT_KINDS)[number]
