import { Type, type Static } from 'typebox'
import { Component, Timestamp } from '../../platform/http/envelope.ts'
import { createCursors } from '../../platform/lists/cursor-page.ts'
import type { ChatLine } from './chat.queries.ts'

export const ChatMessage = Component('ChatMessage', {
  id: Type.Integer(),
  transaction_id: Type.Integer(),
  sender_id: Type.Integer(),
  text: Type.String(),
  is_read: Type.Boolean({ description: 'Whether the receiver has read it.' }),
  created_at: Timestamp,
})

export const ReadMark = Component('ReadMark', {
  transaction_id: Type.Integer(),
  unread_count: Type.Integer({ description: 'The number of unread messages in this chat.' }),
})

/** Its page goes on `before` or `after` a line. */
export const LINES = createCursors('messages', [['before', 'after'], 'number'])

export function toChatMessage(line: ChatLine): Static<typeof ChatMessage> {
  const { swap_message_id: id, swap_id: transaction_id, sender_id, body: text, created_at } = line
  return { id, transaction_id, sender_id, text, is_read: line.read_at !== null, created_at }
}
