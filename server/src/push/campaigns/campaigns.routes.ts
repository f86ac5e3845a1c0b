import { Type } from 'typebox'
import { MESSAGE_STATUSES, PLATFORMS } from '../../platform/shared/words.ts'
import type { PushDeps } from '../deps.ts'
import { answers, EmptyBody, Page, Success } from '../../platform/http/envelope.ts'
import { ListQuery, RangeQuery, readRange, readWords } from '../../platform/lists/listing.ts'
import { Words } from '../../platform/http/text.ts'
import { answerPage, PageQuery, readPage, paginated } from '../../platform/lists/pagination.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { controlMessage } from './controls.ts'
import { CAMPAIGN_ORDERS, listCampaigns, type MessageRow } from './campaigns.queries.ts'
import { MessageReport, Recipient, toMessageReport, toRecipientView } from './campaigns.views.ts'
import { countRecipients, listRecipients } from './recipients.queries.ts'
import { toKind, requireMessage, SCOPES, type Scope } from './scopes.ts'

const Filter = Type.String({ minLength: 1, maxLength: 200 })

export function registerCampaignRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/promotional-notifications', {
    access: 'campaigns',
    operationId: 'listCampaigns',
    summary: 'List promotional notifications with their counts, newest first; search, filters, sorting',
    querystring: Type.Object({
      ...ListQuery,
      ...RangeQuery,
      status: Type.Optional(Words(MESSAGE_STATUSES)),
      audience: Type.Optional(Type.Enum(['all', 'sandbox', 'users'])),
      sort_by: Type.Optional(Type.Enum(CAMPAIGN_ORDERS)),
    }),
    response: answers(200, Page(MessageReport)),
    handler: async ({ query }) => {
      const { search, status, audience, sort_by: by = 'created_at', sort_order: direction = 'desc' } = query
      const { from, to } = readRange(query)
      const filter = { search, statuses: readWords(status, MESSAGE_STATUSES), audience, from, to }
      return answerPage(query, {
        message: 'Promotional notifications',
        view: (row: MessageRow) => toMessageReport(row, deps.providers),
        find: (page) => listCampaigns(deps, filter, { ...page, by, direction }),
      })
    },
  })

  for (const scope of SCOPES) {
    registerRecipients(app, deps, scope)
    registerControls(app, deps, scope)
  }
}

function registerRecipients(app: App, deps: PushDeps, scope: Scope): void {
  registerRoute(app, `GET ${scope.url}`, {
    access: 'campaigns',
    tags: [scope.tag],
    operationId: `list${scope.subject}Recipients`,
    summary: `The recipients of one ${scope.what}, one row a device, and its counts`,
    querystring: Type.Object({
      ...PageQuery,
      search: ListQuery.search,
      sort_order: ListQuery.sort_order,
      name: Type.Optional(Filter),
      email: Type.Optional(Filter),
      status: Type.Optional(Type.Enum(['sent', 'delivered', 'opened', 'failed'])),
      device_id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
      platform: Type.Optional(Type.Enum([...PLATFORMS])),
    }),
    response: answers(200, Type.Interface([Page(Recipient)], { summary: MessageReport }), 404),
    handler: async ({ params, query }) => {
      const { search, name, email, status, device_id, platform, sort_order: direction = 'asc' } = query
      const filter = { search, name, email, status, device_id, platform }
      const page = readPage(query)
      const message = await requireMessage(deps.db, params.notification_id, scope)
      const [rows, total] = await Promise.all([
        listRecipients(deps, message.message_id, filter, { ...page, direction }),
        countRecipients(deps, message, filter),
      ])
      const views = rows.map((row) => toRecipientView(row, message))
      return {
        ...paginated(views, total, page, `Recipients of the ${scope.what}`),
        summary: toMessageReport(message, deps.providers),
      }
    },
  })
}

function registerControls(app: App, deps: PushDeps, scope: Scope): void {
  for (const [control, done] of CONTROLS) {
    registerChange(app, deps, `POST ${scope.url}/${control}`, {
      access: 'campaigns',
      tags: [scope.tag],
      operationId: `${control}${scope.subject}`,
      summary: `${control[0]!.toUpperCase()}${control.slice(1)} one ${scope.what}; honoured before the next request`,
      body: EmptyBody,
      response: answers(200, Success(MessageReport), 404),
      message: (row: MessageRow) => `${toKind(row) === 'campaign' ? 'Campaign' : 'Notification'} ${done}`,
      view: (row: MessageRow) => toMessageReport(row, deps.providers),
      rule: (work, { params: { notification_id: messageId } }) =>
        controlMessage(work, { messageId, scope, control, log: deps.log }),
    })
  }
}

const CONTROLS = [
  ['pause', 'paused'],
  ['resume', 'resumed'],
  ['stop', 'stopped'],
] as const
