import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { principalOf } from '../../platform/http/access.ts'
import {
  answers,
  AskedForApproval,
  Body,
  Id,
  isAsked,
  ok,
  Success,
  toAsked,
  WAITS,
} from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import type { Asked } from '../../identity/approvals/approvals.ts'
import { sendToAllOrAsk } from '../messages/asked-send.ts'
import { startBulkSend, type StartedMessage } from '../messages/messages.ts'
import { askForNamedSend, sendToNamed } from '../messages/named-send.ts'
import { previewBulkSend } from '../messages/preview.ts'
import { recordSend } from '../messages/record-send.ts'
import { accepted, Preview, Started, StartedOrAsked, Text, Title, toPreview, toStarted } from './sending.views.ts'

const Data = Type.Record(Type.String(), Type.Unknown(), { description: 'Free-form; `link` is a deep link.' })
const Content = { title: Title, text: Text, data: Type.Optional(Data) }
const Named = {
  user_ids: Type.Array(Id, { minItems: 1, maxItems: 5_000 }),
  ...Content,
  promotional: Type.Optional(Type.Boolean()),
}

/** Each answers 202 once the message is stored; the sending itself is the worker's. */
export function registerSendingRoutes(app: App, deps: Deps): void {
  for (const [url, operationId, audience, who] of BULK_SENDS) {
    app.post(
      url,
      {
        config: { access: 'campaigns' },
        schema: {
          tags: ['Sending'],
          operationId,
          summary: `Start a bulk send to ${who}; it runs in the background`,
          body: Body(Content),
          response: answers(202, Success(StartedOrAsked), 400, 401, 403, 409, 413, 415, 422),
        },
      },
      async (request, reply) => {
        const { userId } = principalOf(request)
        const send = { audience, content: request.body, senderId: userId }
        return deps.rateLimits.spend([{ name: 'bulk-send', subject: String(userId) }], () =>
          write(deps, { request, reply }, BULK_STARTED, async (tx, caller) => {
            if (audience === 'all') return sendToAllOrAsk(deps, tx, caller, { ...send, isSystem: false })
            const started = await startBulkSend(deps, tx, send)
            await recordSend(tx, deps, caller, started, { audience })
            return started
          }),
        )
      },
    )
  }

  app.post(
    '/api/admin/send-notification-all/preview',
    {
      config: { access: 'campaigns', notIdempotent: 'It stores nothing.' },
      schema: {
        tags: ['Sending'],
        operationId: 'previewSendToAll',
        summary: 'Preview a send to everyone: audience, skips, size in bytes, duration',
        body: Body(Content),
        response: answers(200, Success(Preview), 400, 401, 403, 413, 415, 422),
      },
    },
    async (request) => ok(toPreview(await previewBulkSend(deps, 'all', request.body)), 'Preview'),
  )

  app.post(
    '/api/admin/send-notification',
    {
      config: { access: 'campaigns' },
      schema: {
        tags: ['Sending'],
        operationId: 'sendToUsers',
        summary: 'Send to named users in one call',
        body: Body(Named),
        response: answers(202, Success(Started), 400, 401, 403, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const { user_ids, promotional = false, ...content } = request.body
      const { userId } = principalOf(request)
      const userIds = [...new Set(user_ids)]
      const charge = { name: 'send-recipients', subject: String(userId), amount: userIds.length } as const
      return deps.rateLimits.spend([charge], () =>
        write(deps, { request, reply }, accepted('Notification accepted'), (tx, caller) =>
          sendToNamed(deps, tx, caller, { userIds, content, promotional, senderId: userId }),
        ),
      )
    },
  )

  app.post(
    '/api/admin/send-notification/approval',
    {
      config: { access: 'campaigns' },
      schema: {
        tags: ['Sending'],
        operationId: 'askToSendToUsers',
        summary: 'Ask a second administrator to approve a send to named users',
        body: Body(Named),
        response: answers(202, Success(AskedForApproval), 400, 401, 403, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const { user_ids, promotional = false, ...content } = request.body
      const userIds = [...new Set(user_ids)]
      const asked = { content, userIds, promotional, isSystem: false, recipients: userIds.length }
      const subject = String(principalOf(request).userId)
      return deps.rateLimits.spend([{ name: 'bulk-send', subject }], () =>
        write(deps, { request, reply }, { status: 202, message: WAITS, view: toAsked }, (tx, caller) =>
          askForNamedSend(deps, tx, caller, asked),
        ),
      )
    },
  )
}

const BULK_STARTED = {
  status: 202,
  message: (record: StartedMessage | Asked) => (isAsked(record) ? WAITS : 'Bulk send started'),
  view: (record: StartedMessage | Asked) => (isAsked(record) ? toAsked(record) : toStarted(record)),
} as const

const BULK_SENDS = [
  ['/api/admin/send-notification-all', 'sendToAll', 'all', 'everyone'],
  ['/api/admin/send-notification-sandbox', 'sendToSandbox', 'sandbox', 'test users'],
] as const
