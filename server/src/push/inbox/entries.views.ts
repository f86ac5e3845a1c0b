import { Type } from 'typebox'
import { EVENT_KINDS } from '../../platform/events/event-kinds.ts'
import { Component, Nullable, Timestamp } from '../../platform/http/envelope.ts'

export const ENTRY_KINDS = [...EVENT_KINDS, 'promotion'] as const

export const InboxItem = Component('InboxItem', {
  message_id: Type.Integer({ description: 'The id of the entry, the same on all devices.' }),
  kind: Type.Enum([...ENTRY_KINDS], { description: 'What it tells of; `promotion`: a campaign.' }),
  title: Type.String(),
  text: Type.String(),
  data: Nullable(Type.Object({}, { additionalProperties: true })),
  link: Nullable(Type.String({ description: 'Where a tap leads: the `link` of `data`.' })),
  seen: Type.Boolean(),
  read: Type.Boolean(),
  archived: Type.Boolean(),
  created_at: Timestamp,
})
