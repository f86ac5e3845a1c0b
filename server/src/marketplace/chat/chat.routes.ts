import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Body, Id, Success } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { Pasted } from '../../platform/http/text.ts'
import { cleared } from '../../platform/shared/plain-text.ts'
import { CursorPage, cursorPage, CursorQuery } from '../../platform/lists/cursor-page.ts'
import { LINES_TO_STRANGERS, readChat, readUpTo, sendSwapMessage } from './chat.ts'
import type { ChatLine } from './chat.queries.ts'
import { ChatMessage, LINES, ReadMark, toChatMessage } from './chat.views.ts'

const LONGEST = 2_000

/** The chat of a swap, for its two sides; a stranger gets 404 (decision E). */
export function registerChatRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/v1/swaps/:id/messages', {
    access: 'user',
    operationId: 'listSwapMessages',
    summary: 'The messages of a swap, newest first; with `after`, those after a message, oldest first',
    querystring: Type.Object({
      ...CursorQuery,
      after: Type.Optional({ ...Id, description: 'The id of the last known message, for reading newer ones.' }),
    }),
    response: answers(200, CursorPage(ChatMessage), 404),
    handler: async (request) => {
      const { params, query } = request
      const { after: keys = [], limit } = LINES.readPage(query)
      const [direction = query.after === undefined ? 'before' : 'after', key = query.after] = keys
      const range = { [direction]: key, limit }
      const lines = await readChat(deps.db, { ...range, swapId: params.id, userId: request.caller.userId })
      const toCursor = (line: ChatLine) => LINES.write([direction, line.swap_message_id])
      return cursorPage(lines, { limit }, { toCursor, view: toChatMessage, message: 'Messages' })
    },
  })

  registerChange(app, deps, 'POST /api/v1/swaps/:id/messages', {
    access: 'user',
    limits: ['swap-message'],
    operationId: 'sendSwapMessage',
    summary: 'Send a message to the other side of a swap; they get a push',
    description: `Up to 60 messages a minute. At most ${LINES_TO_STRANGERS} to a person with whom you never agreed on a swap, until they answer. Not possible after the swap has ended without an exchange. Send an Idempotency-Key to repeat a call safely.`,
    body: Body({ text: Pasted({ maxLength: LONGEST }) }),
    response: answers(201, Success(ChatMessage), 404),
    message: 'Message sent',
    view: toChatMessage,
    rule: (work, { params, body }) => sendSwapMessage(work, { swapId: params.id, text: cleared(body.text) }),
  })

  registerChange(app, deps, 'POST /api/v1/swaps/:id/read', {
    access: 'user',
    operationId: 'markSwapMessagesRead',
    summary: 'Mark the messages that you received, up to one, as read',
    body: Body({ message_id: Id }),
    response: answers(200, Success(ReadMark), 404),
    message: 'Messages read',
    rule: (work, { params, body }) => readUpTo(work, { swapId: params.id, messageId: body.message_id }),
    view: ({ swapId, unread }) => ({ transaction_id: swapId, unread_count: unread }),
  })
}
