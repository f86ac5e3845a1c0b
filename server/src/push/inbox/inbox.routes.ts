import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { PushDeps } from '../deps.ts'
import { answers, Body, Success } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { openNotification, recordDeviceEvent, type Recorded as RecordedEvent } from './reading.ts'
import type { CopyOfUser } from '../ledger/reactions.queries.ts'
import { listUnread } from './inbox.queries.ts'
import { Entry, toEntry } from './inbox.views.ts'

const INBOX_LIMIT = 200

const Opened = Type.Object({ notification_id: Type.Integer(), is_open: Type.Literal(true) })
const Recorded = Type.Object({ notification_id: Type.Integer(), event: Type.Enum(['shown', 'dismissed']) })

/** Another's notification answers like a missing one (decision B19). */
export function registerInboxRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/notification', {
    access: 'user',
    operationId: 'listUnreadNotifications',
    summary: 'Your unread notifications, newest first, one for each message',
    response: answers(
      200,
      Type.Object({
        success: Type.Literal(true),
        data: Type.Array(Entry),
        unread_count: Type.Integer(),
        message: Type.String(),
      }),
    ),
    handler: async (request) => {
      const { userId } = request.caller
      const { entries, unread } = await listUnread(deps.pool, userId, INBOX_LIMIT)
      return {
        success: true as const,
        data: entries.map((entry) => toEntry(entry, userId)),
        unread_count: unread,
        message: 'Unread notifications',
      }
    },
  })

  registerChange(app, deps, 'GET /api/notification/:notification_id/read', {
    access: 'user',
    effect: 'write',
    operationId: 'markNotificationRead',
    summary: 'Mark a notification, and your other copies of its message, as opened',
    response: answers(200, Success(Opened), 404),
    message: 'Notification opened',
    view: ({ notificationId }: CopyOfUser) => ({ notification_id: notificationId, is_open: true as const }),
    rule: (work, request) => openNotification(work, readTarget(request)),
  })

  registerChange(app, deps, 'POST /api/notification/:notification_id/events', {
    access: 'user',
    operationId: 'recordNotificationEvent',
    summary: 'Record that this phone showed a notification, or that the user dismissed it',
    body: Body({ event: Type.Enum(['shown', 'dismissed']) }, { event: 'shown' }),
    response: answers(200, Success(Recorded), 404),
    message: 'Event recorded',
    view: ({ notificationId, event }: RecordedEvent) => ({ notification_id: notificationId, event }),
    rule: (work, request) => recordDeviceEvent(work, readTarget(request), request.body.event),
  })
}

function readTarget(request: FastifyRequest & { params: { notification_id: number } }): CopyOfUser {
  return { notificationId: request.params.notification_id, userId: request.caller.userId }
}
