import { Type, type Static } from 'typebox'
import type { PushDeps } from '../deps.ts'
import { answers, Body, Id, ok, orPending, PENDING, PendingApproval, Success } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { requestSend, previewSendToAll, sendOrAsk, sendOrRefuse, type StaffSend } from '../messages/staff-send.ts'
import { checkContent } from '../messages/content.ts'
import { accepted, Preview, Started, StartedOrPending, Text, Title, toPreview } from './sending.views.ts'

const Data = Type.Record(Type.String(), Type.Unknown(), { description: 'Free-form; `link` is a deep link.' })
const Content = { title: Title, text: Text, data: Type.Optional(Data) }
const InboxOnly = Type.Optional(
  Type.Boolean({ description: 'To inboxes alone: no phone rings. Its people count as skipped, `inbox_only`.' }),
)
const NAMED = {
  tags: ['Sending'],
  body: Body({
    user_ids: Type.Array(Id, { minItems: 1, maxItems: 5_000 }),
    ...Content,
    promotional: Type.Optional(Type.Boolean()),
    inbox_only: InboxOnly,
  }),
}

/** Each answers 202 once the message is stored; the sending itself is the worker's. */
export function registerSendingRoutes(app: App, deps: PushDeps): void {
  registerBulkSends(app, deps)

  registerChange(app, deps, 'POST /api/admin/send-notification', {
    access: 'campaigns',
    approval: 'send',
    ...NAMED,
    operationId: 'sendToUsers',
    summary: 'Send to named users in one call',
    response: answers(202, Success(Started)),
    ...accepted('Notification accepted'),
    prepare: ({ caller, body }) => toNamedSend(deps, body, caller.userId),
    around: (change, { caller }, { amount }) =>
      deps.rateLimits.spend([{ name: 'send-recipients', subject: String(caller.userId), amount }], change),
    rule: (work, _, { send }) => sendOrRefuse(work, send),
  })

  registerChange(app, deps, 'POST /api/admin/send-notification/approval', {
    access: 'campaigns',
    approval: 'send',
    ...NAMED,
    operationId: 'askToSendToUsers',
    summary: 'Ask a second administrator to approve a send to named users',
    response: answers(202, Success(PendingApproval)),
    ...PENDING,
    prepare: ({ caller, body }) => toNamedSend(deps, body, caller.userId),
    around: (change, { caller }) =>
      deps.rateLimits.spend([{ name: 'bulk-send', subject: String(caller.userId) }], change),
    rule: (work, _, { send }) => requestSend(work, send),
  })
}

function registerBulkSends(app: App, deps: PushDeps): void {
  for (const [url, operationId, audience, who] of BULK_SENDS) {
    const [name, start] =
      audience === 'all' ? (['bulk-send', sendOrAsk] as const) : (['sandbox-send', sendOrRefuse] as const)
    registerChange(app, deps, `POST ${url}`, {
      access: 'campaigns',
      approval: 'send',
      tags: ['Sending'],
      operationId,
      summary: `Start a bulk send to ${who}; it runs in the background`,
      body: Body({ ...Content, inbox_only: InboxOnly }),
      response: answers(202, Success(StartedOrPending)),
      ...BULK_STARTED,
      prepare: ({ caller: { userId: senderId }, body }): StaffSend => {
        const { inbox_only: isInboxOnly = false, ...content } = body
        checkContent(deps, content, 'campaign')
        const message = { content, lane: 'campaign', origin: 'bulk', senderId, isInboxOnly } as const
        return { audience: { kind: audience }, ...message }
      },
      around: (change, { caller }) => deps.rateLimits.spend([{ name, subject: String(caller.userId) }], change),
      rule: (work, _, send) => start(work, send),
    })
  }

  registerRoute(app, 'POST /api/admin/send-notification-all/preview', {
    access: 'campaigns',
    notIdempotent: 'It stores nothing.',
    tags: ['Sending'],
    operationId: 'previewSendToAll',
    summary: 'Preview a send to everyone: audience, skips, size in bytes, duration',
    body: Body(Content),
    response: answers(200, Success(Preview)),
    handler: async (request) => ok(toPreview(await previewSendToAll(deps, request.body)), 'Preview'),
  })
}

/** `amount`: of users, each once. */
function toNamedSend(
  deps: PushDeps,
  { user_ids, promotional = false, inbox_only: isInboxOnly = false, ...content }: Static<typeof NAMED.body>,
  senderId: number,
): { send: StaffSend; amount: number } {
  const userIds = [...new Set(user_ids)]
  const lane = promotional ? 'campaign' : 'transactional'
  checkContent(deps, content, lane)
  return {
    send: { audience: { kind: 'users', userIds }, content, lane, origin: 'named', senderId, isInboxOnly },
    amount: userIds.length,
  }
}

const BULK_STARTED = orPending(accepted('Bulk send started'))

const BULK_SENDS = [
  ['/api/admin/send-notification-all', 'sendToAll', 'all', 'everyone'],
  ['/api/admin/send-notification-sandbox', 'sendToSandbox', 'sandbox', 'test users'],
] as const
