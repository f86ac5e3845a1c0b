import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { Deps } from '../../deps.ts'
import { principalOf } from '../../platform/http/access.ts'
import { answers, Body, Id, Nullable, Success, Timestamp } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import { stateOf, STATES } from '../records/states.ts'
import { openNotification, recordDeviceEvent, type Recorded as RecordedEvent, type Target } from '../messages/opens.ts'
import { listUnread, type InboxEntry } from './inbox.queries.ts'

const INBOX_LIMIT = 200

const Data = Nullable(Type.Object({}, { additionalProperties: true }))

/** A notification with every field of the specification that its owner may see; the ticket is the administrators'. */
const Entry = Type.Object({
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

const ById = Type.Object({ notification_id: Id })
const Opened = Type.Object({ notification_id: Type.Integer(), is_open: Type.Literal(true) })
const Recorded = Type.Object({ notification_id: Type.Integer(), event: Type.String() })

/** A user's own notifications. Another's answers like a missing one (decision B19). */
export function registerInboxRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/notification',
    {
      config: { access: 'user' },
      schema: {
        tags: ['Inbox'],
        summary: 'Your unread notifications, newest first, one for each message',
        response: answers(
          200,
          Type.Object({
            success: Type.Literal(true),
            data: Type.Array(Entry),
            unread_count: Type.Integer(),
            message: Type.String(),
          }),
          401,
        ),
      },
    },
    async (request) => {
      const { userId } = principalOf(request)
      const { entries, unread } = await listUnread(deps.pool, userId, INBOX_LIMIT)
      return {
        success: true as const,
        data: entries.map((entry) => toEntry(entry, userId)),
        unread_count: unread,
        message: 'Unread notifications',
      }
    },
  )

  app.get(
    '/api/notification/:notification_id/read',
    {
      config: { access: 'user', effect: 'write' },
      schema: {
        tags: ['Inbox'],
        summary: 'Mark a notification, and your other copies of its message, as opened',
        params: ById,
        response: answers(200, Success(Opened), 401, 404, 422),
      },
    },
    async (request, reply) =>
      write(deps, { request, reply }, { message: 'Notification opened', view: toOpened }, (tx) =>
        openNotification(deps, tx, targetOf(request)),
      ),
  )

  app.post(
    '/api/notification/:notification_id/events',
    {
      config: { access: 'user' },
      schema: {
        tags: ['Inbox'],
        summary: 'Record that this phone showed a notification, or that the user dismissed it',
        params: ById,
        body: Body({ event: Type.Enum(['shown', 'dismissed']) }),
        response: answers(200, Success(Recorded), 400, 401, 404, 409, 413, 415, 422),
      },
    },
    async (request, reply) =>
      write(deps, { request, reply }, { message: 'Event recorded', view: toRecorded }, (tx) =>
        recordDeviceEvent(deps, tx, targetOf(request), request.body.event),
      ),
  )
}

function targetOf(request: FastifyRequest & { params: { notification_id: number } }): Target {
  return { notificationId: request.params.notification_id, userId: principalOf(request).userId }
}

function toOpened({ notificationId }: Target): Static<typeof Opened> {
  return { notification_id: notificationId, is_open: true }
}

function toRecorded({ notificationId, event }: RecordedEvent): Static<typeof Recorded> {
  return { notification_id: notificationId, event }
}

function toEntry(entry: InboxEntry, userId: number) {
  const { title, body, data } = entry
  return {
    id: entry.notification_id,
    notification_id: entry.notification_id,
    user_id: userId,
    mobile_devices_id: entry.mobile_devices_id,
    notification_content: { title, body, data },
    title,
    body,
    data,
    notification_type: entry.type,
    is_send: entry.is_send,
    is_delivered: entry.is_delivered,
    is_open: entry.is_open,
    state: stateOf(entry),
    error_message: entry.error_message,
    created_at: entry.created_at.toISOString(),
    updated_at: entry.updated_at.toISOString(),
    deleted_at: null,
  }
}
