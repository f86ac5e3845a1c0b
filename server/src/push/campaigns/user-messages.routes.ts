import { Type } from 'typebox'
import type { PushDeps } from '../deps.ts'
import { answers, Component, Nullable, Page, pickFields, Timestamp } from '../../platform/http/envelope.ts'
import { ListQuery, RangeQuery, readRange } from '../../platform/lists/listing.ts'
import { readPage, paginated } from '../../platform/lists/pagination.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { errors } from '../../platform/shared/errors.ts'
import { MESSAGE_FIELDS, NotificationType, OUTCOME_FIELDS, toCopyView, toMessageFields } from './campaigns.views.ts'
import { listUserCopies, type CopyRow } from './recipients.queries.ts'
import { findKeptFrom, listUserMessages, OUTCOMES, userExists, type UserMessageRow } from './user-messages.queries.ts'

const UserMessage = Component('UserMessage', {
  ...MESSAGE_FIELDS,
  ...OUTCOME_FIELDS,
})

const KeptFrom = Nullable({
  ...Timestamp,
  description:
    'Messages from before this time may be missing, because their recipients are deleted month by month. Null: none is missing.',
})

export function registerUserMessagesRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/users/:user_id/notifications', {
    access: 'campaigns',
    tags: ['Notifications'],
    operationId: 'listUserNotifications',
    summary: 'Every message that selected a user, newest first: notified, skipped with the reason, or waiting',
    querystring: Type.Object({
      ...ListQuery,
      ...RangeQuery,
      notification_type: Type.Optional(NotificationType),
      outcome: Type.Optional(Type.Enum(OUTCOMES)),
    }),
    response: answers(200, Type.Interface([Page(UserMessage)], { notifications_kept_from: KeptFrom }), 404),
    handler: async ({ params: { user_id: userId }, query }) => {
      const { search, notification_type: type, outcome, sort_order: direction = 'desc' } = query
      const { from, to } = readRange(query)
      const filter = { search, type, outcome, from, to }
      const page = readPage(query)
      const [isThere, { rows, total }, keptFrom] = await Promise.all([
        userExists(deps.db, userId),
        listUserMessages(deps.db, userId, filter, { ...page, direction }),
        findKeptFrom(deps.db),
      ])
      if (!isThere) throw errors.notFound('This user')
      const messageIds = rows.map((row) => row.message_id)
      const copies = Map.groupBy(await listUserCopies(deps.db, userId, messageIds), (copy) => copy.message_id)
      const views = rows.map((row) => toUserMessage(row, copies.get(row.message_id) ?? []))
      return {
        ...paginated(views, total, page, 'Notifications of the user'),
        notifications_kept_from: keptFrom,
      }
    },
  })
}

function toUserMessage(row: UserMessageRow, copies: CopyRow[]) {
  return {
    ...pickFields(UserMessage, row),
    ...toMessageFields(row),
    notifications: copies.map(toCopyView),
  }
}
