import { Type, type Static } from 'typebox'
import { Component, pickFields, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import { toState, STATES } from '../records/states.ts'
import type { InboxEntry } from './inbox.queries.ts'

const Data = Nullable(Type.Object({}, { additionalProperties: true }))

/** Every specified field that the owner may see; only administrators see the ticket. */
export const Entry = Component('InboxEntry', {
  id: Type.Integer(),
  notification_id: Type.Integer(),
  user_id: Type.Integer(),
  mobile_devices_id: Type.Integer(),
  notification_content: Type.Object({ title: Type.String(), body: Type.String(), data: Data }),
  title: Type.String(),
  body: Type.String(),
  data: Data,
  notification_type: Type.Enum(['promotional', 'non_promotional']),
  is_send: Type.Boolean(),
  is_delivered: Nullable(Type.Boolean()),
  is_open: Type.Boolean(),
  state: Type.Enum([...STATES]),
  error_message: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
  deleted_at: Nullable(Type.String({ format: 'date-time', description: 'Always null: deleted ones are not listed.' })),
})

export function toEntry(entry: InboxEntry, userId: number): Static<typeof Entry> {
  const { title, body, data } = entry
  return {
    ...pickFields(Entry, entry),
    id: entry.notification_id,
    user_id: userId,
    notification_content: { title, body, data },
    notification_type: entry.type,
    state: toState(entry),
    deleted_at: null,
  }
}
