import { Type } from 'typebox'
import type { PushDeps } from '../deps.ts'
import {
  answers,
  asEvents,
  Component,
  EmptyBody,
  Events,
  ok,
  Success,
  Timestamp,
} from '../../platform/http/envelope.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { followLink, signLink } from '../../identity/sessions/links.ts'
import { createProgress } from './progress.ts'
import { toMessageReport } from './campaigns.views.ts'
import { requireMessage, SCOPES } from './scopes.ts'

const LINK_SECONDS = 5 * 60
const ANY = { isCampaign: false, what: 'notification' }
const PROGRESS = Events(
  'A `progress` event with the report whenever it changes; at the end an `end` event with a `reason`.',
  'retry: 3000\n\nevent: progress\ndata: {"id":7,"status":"sending","counts":{"selected":2,"sent":1}}',
)
const Link = Component('ProgressLink', {
  url: Type.String({ description: 'For EventSource. It needs no token and ends with the session.' }),
  expires_at: { ...Timestamp, description: 'Until then it can be opened, also repeatedly.' },
})

export function registerProgressRoutes(app: App, deps: PushDeps): void {
  const progress = createProgress(deps, (message) => JSON.stringify(toMessageReport(message, deps.providers)))
  app.addHook('preClose', () => progress.close())

  for (const scope of SCOPES) {
    registerRoute(app, `GET ${scope.url}/progress`, {
      access: 'campaigns',
      tags: [scope.tag],
      operationId: `stream${scope.subject}Progress`,
      summary: `The progress of one ${scope.what} as server-sent events, until it is completed or stopped`,
      response: answers(200, PROGRESS, 404),
      handler: async (request, reply) => {
        const message = await requireMessage(deps.db, request.params.notification_id, scope)
        return asEvents(reply, progress.watch(message, request.caller))
      },
    })

    registerRoute(app, `POST ${scope.url}/progress-link`, {
      access: 'campaigns',
      notIdempotent: 'It stores nothing.',
      tags: [scope.tag],
      operationId: `create${scope.subject}ProgressLink`,
      summary: 'A link to the same stream for a browser’s EventSource, which cannot send a token',
      body: EmptyBody,
      response: answers(200, Success(Link), 404),
      handler: async (request) => {
        const { message_id: id } = await requireMessage(deps.db, request.params.notification_id, scope)
        const target = { purpose: 'progress', id } as const
        const holder = request.caller
        const { link, expiresAt } = signLink(deps, { holder, target, seconds: LINK_SECONDS })
        const url = `/api/admin/notifications/${id}/progress-stream?link=${link}`
        return ok({ url, expires_at: expiresAt }, 'Progress link')
      },
    })
  }

  registerRoute(app, 'GET /api/admin/notifications/:notification_id/progress-stream', {
    access: 'public',
    tags: ['Notifications'],
    operationId: 'streamProgressByLink',
    summary: 'The progress of one notification, by a link for an administrator; no token is needed',
    querystring: Type.Object({ link: Type.String({ minLength: 1, maxLength: 300 }) }),
    response: answers(200, PROGRESS, 404),
    handler: async (request, reply) => {
      const id = request.params.notification_id
      const target = { purpose: 'progress', id } as const
      const { holder } = await followLink(deps, { link: request.query.link, target, permission: 'campaigns' })
      void reply.header('Cache-Control', 'no-store')
      return asEvents(reply, progress.watch(await requireMessage(deps.db, id, ANY), holder))
    },
  })
}
