import { Type, type Static } from 'typebox'
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
import { askForNamedSend, refuseUnapprovedSend, sendToNamed } from '../messages/named-send.ts'
import { previewBulkSend } from '../messages/preview.ts'
import { recordSend } from '../messages/record-send.ts'
import { accepted, Preview, Started, StartedOrAsked, Text, Title, toPreview, toStarted } from './sending.views.ts'

const Data = Type.Record(Type.String(), Type.Unknown(), { description: 'Free-form; `link` is a deep link.' })
const Content = { title: Title, text: Text, data: Type.Optional(Data) }
const NAMED = {
  tags: ['Sending'],
  body: Body({
    user_ids: Type.Array(Id, { minItems: 1, maxItems: 5_000 }),
    ...Content,
    promotional: Type.Optional(Type.Boolean()),
  }),
}
const REFUSALS = [400, 401, 403, 409, 413, 415, 422]

/** Each answers 202 once the message is stored; the sending itself is the worker's. */
export function registerSendingRoutes(app: App, deps: Deps): void {
  registerBulkSends(app, deps)
  registerNamedSends(app, deps)
}

function registerBulkSends(app: App, deps: Deps): void {
  for (const [url, operationId, audience, who] of BULK_SENDS) {
    app.post(url, {
      config: { access: 'campaigns', approval: 'send' },
      schema: {
        tags: ['Sending'],
        operationId,
        summary: `Start a bulk send to ${who}; it runs in the background`,
        body: Body(Content),
        response: answers(202, Success(StartedOrAsked), ...REFUSALS),
      },
      handler: async (request, reply) => {
        const { userId } = principalOf(request)
        const send = { audience, content: request.body, senderId: userId }
        const name = audience === 'all' ? 'bulk-send' : 'sandbox-send'
        return deps.rateLimits.spend([{ name, subject: String(userId) }], () =>
          write(deps, { request, reply }, BULK_STARTED, async ({ tx, by: caller }) => {
            if (audience === 'all') return sendToAllOrAsk(deps, tx, caller, { ...send, isSystem: false })
            await refuseUnapprovedSend(deps, tx, userId, null)
            const started = await startBulkSend(deps, tx, send)
            await recordSend(tx, deps, caller, started, { audience })
            return started
          }),
        )
      },
    })
  }

  app.post('/api/admin/send-notification-all/preview', {
    config: { access: 'campaigns', notIdempotent: 'It stores nothing.' },
    schema: {
      tags: ['Sending'],
      operationId: 'previewSendToAll',
      summary: 'Preview a send to everyone: audience, skips, size in bytes, duration',
      body: Body(Content),
      response: answers(200, Success(Preview), 400, 401, 403, 413, 415, 422),
    },
    handler: async (request) => ok(toPreview(await previewBulkSend(deps, 'all', request.body)), 'Preview'),
  })
}

function registerNamedSends(app: App, deps: Deps): void {
  app.post('/api/admin/send-notification', {
    config: { access: 'campaigns', approval: 'send' },
    schema: {
      ...NAMED,
      operationId: 'sendToUsers',
      summary: 'Send to named users in one call',
      response: answers(202, Success(Started), ...REFUSALS),
    },
    handler: async (request, reply) => {
      const { userId } = principalOf(request)
      const send = toNamedSend(request.body)
      const charge = { name: 'send-recipients', subject: String(userId), amount: send.userIds.length } as const
      return deps.rateLimits.spend([charge], () =>
        write(deps, { request, reply }, accepted('Notification accepted'), ({ tx, by: caller }) =>
          sendToNamed(deps, tx, caller, { ...send, senderId: userId }),
        ),
      )
    },
  })

  app.post('/api/admin/send-notification/approval', {
    config: { access: 'campaigns', approval: 'send' },
    schema: {
      ...NAMED,
      operationId: 'askToSendToUsers',
      summary: 'Ask a second administrator to approve a send to named users',
      response: answers(202, Success(AskedForApproval), ...REFUSALS),
    },
    handler: async (request, reply) => {
      const send = toNamedSend(request.body)
      const asked = { ...send, isSystem: false, recipients: send.userIds.length }
      const subject = String(principalOf(request).userId)
      return deps.rateLimits.spend([{ name: 'bulk-send', subject }], () =>
        write(deps, { request, reply }, { status: 202, message: WAITS, view: toAsked }, ({ tx, by: caller }) =>
          askForNamedSend(deps, tx, caller, asked),
        ),
      )
    },
  })
}

/** Each user once. */
function toNamedSend({ user_ids, promotional = false, ...content }: Static<typeof NAMED.body>) {
  return { userIds: [...new Set(user_ids)], content, promotional }
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
