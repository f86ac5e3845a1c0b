import { Type } from 'typebox'
import type { PushDeps } from '../deps.ts'
import { answers, Component } from '../../platform/http/envelope.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { CursorPage, CursorQuery, createCursors, readLimit } from '../../platform/lists/cursor-page.ts'
import { wordSearchIn } from '../../platform/lists/listing.ts'
import { PLATFORMS, SKIP_REASONS } from '../../platform/shared/words.ts'
import { pageOfPeople } from './people.ts'
import { PEOPLE_STATUSES } from './people.queries.ts'
import { MessageReport, OUTCOME_FIELDS, toCopyView, toMessageReport } from './campaigns.views.ts'
import { requireMessage } from './scopes.ts'

const CURSORS = createCursors('message-people', ['number'])

const Person = Component('MessagePerson', {
  user_id: Type.Integer(),
  name: Type.String(),
  email: Type.String(),
  ...OUTCOME_FIELDS,
})

export function registerPeopleRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/notifications/:notification_id/people', {
    access: 'campaigns',
    operationId: 'listNotificationPeople',
    summary:
      'The people of a notification, one row a person, in the order of their ids: notified with each copy, skipped with the reason, or waiting; a page may be short before the last',
    querystring: Type.Object({
      ...CursorQuery,
      search: wordSearchIn(
        'username, email, name and digits of the phone number, accents aside, or the person with this id',
      ),
      status: Type.Optional(
        Type.Enum(PEOPLE_STATUSES, { description: 'Of at least one copy, or `skipped`: of the person.' }),
      ),
      skip_reason: Type.Optional(Type.Enum([...SKIP_REASONS], { description: 'Skipped for this reason.' })),
      platform: Type.Optional(Type.Enum([...PLATFORMS])),
    }),
    response: answers(200, Type.Interface([CursorPage(Person)], { summary: MessageReport }), 404),
    handler: async ({ params, query }) => {
      const { search, skip_reason, platform, status = skip_reason && 'skipped' } = query
      const [after = 0] = CURSORS.read(query) ?? []
      const message = await requireMessage(deps.db, params.notification_id, { isCampaign: false, what: 'notification' })
      const filter = { search: search?.trim() || undefined, status, skip_reason, platform }
      const { people, next } = await pageOfPeople(deps, message, filter, { after, limit: readLimit(query) })
      return {
        success: true as const,
        data: people.map(({ copies, ...person }) => ({ ...person, notifications: copies.map(toCopyView) })),
        next_cursor: next === undefined ? null : CURSORS.write([next]),
        message: 'People of the notification',
        summary: toMessageReport(message, deps.providers),
      }
    },
  })
}
