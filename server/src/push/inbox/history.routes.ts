import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { principalOf } from '../../platform/http/access.ts'
import { answers, EmptyBody, ok, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { cursorPage, CursorPage, CursorQuery, cursorsOf, limitOf } from '../../platform/lists/cursor-page.ts'
import { openAll } from '../messages/opens.ts'
import { listHistory, type HistoryEntry } from './history.queries.ts'
import { Entry, toEntry } from './inbox.views.ts'

const CURSORS = cursorsOf('notifications', ['number', 'number'])

export function registerHistoryRoutes(app: App, deps: Deps): void {
  app.get('/api/v1/notifications', {
    config: { access: 'user' },
    schema: {
      tags: ['Inbox'],
      operationId: 'listMyNotifications',
      summary: 'Your notifications, unread and read, newest first, one for each message',
      querystring: Type.Object({
        state: Type.Optional(Type.Enum(['unread', 'read', 'all'], { description: 'Default `all`.' })),
        ...CursorQuery,
      }),
      response: answers(200, CursorPage(Entry), 401, 422),
    },
    handler: async (request) => {
      const { userId } = principalOf(request)
      const limit = limitOf(request.query)
      const page = { after: CURSORS.read(request.query), limit: limit + 1 }
      const rows = await listHistory(deps.db, userId, request.query.state ?? 'all', page)
      const cursorOf = ({ at, message_id }: HistoryEntry) => CURSORS.write([at, message_id])
      return cursorPage(rows, limit, { cursorOf, view: (row) => toEntry(row, userId), message: 'Notifications' })
    },
  })

  app.post('/api/v1/notifications/read-all', {
    config: {
      access: 'user',
      ownTransactions:
        'Many notifications are opened in rounds, so that the counters of a message are never locked long.',
    },
    schema: {
      tags: ['Inbox'],
      operationId: 'markAllNotificationsRead',
      summary: 'Mark all your notifications as opened; safe to repeat',
      body: EmptyBody,
      response: answers(
        200,
        Success(
          Type.Object({
            opened: Type.Integer({ description: 'Copies. A message has one copy for each phone.' }),
          }),
        ),
        400,
        401,
        409,
        413,
        415,
        422,
      ),
    },
    handler: async (request) =>
      ok({ opened: await openAll(deps, principalOf(request).userId) }, 'All notifications opened'),
  })
}
