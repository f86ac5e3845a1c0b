import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Tx } from '../../db/connect.ts'
import type { Deps } from '../../deps.ts'
import { principalOf } from '../../http/access.ts'
import { actorOf } from '../../http/actor.ts'
import { answers, Body, Id, ok, Success } from '../../http/envelope.ts'
import { NOT_BLANK } from '../../http/fault-sentences.ts'
import type { App } from '../../http/routes.ts'
import { errors } from '../../shared/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import { can } from '../auth/permissions.ts'
import { sendToUsers, startBulkSend, type StartedMessage } from '../delivery/messages.ts'
import { previewBulkSend } from '../delivery/preview.ts'

const Title = Type.String({ minLength: 1, maxLength: 200, ...NOT_BLANK })
const Text = Type.String({ minLength: 1, maxLength: 2_000, ...NOT_BLANK })
const Data = Type.Record(Type.String(), Type.Unknown(), { description: 'Free-form; `link` is a deep link.' })
const Content = { title: Title, text: Text, data: Type.Optional(Data) }

const Started = Success(
  Type.Object({
    notification_id: Type.Integer({ description: 'The message’s id; its report takes it.' }),
    status: Type.String(),
    audience: Type.Integer({ description: 'Users addressed; above 10,000 an estimate.' }),
  }),
)
const Preview = Success(
  Type.Object({
    selected: Type.Integer(),
    skipped: Type.Object({ no_device: Type.Integer(), opted_out: Type.Integer(), inactive: Type.Integer() }),
    users: Type.Integer(),
    devices: Type.Object({ ios: Type.Integer(), android: Type.Integer(), total: Type.Integer() }),
    payload_bytes: Type.Integer(),
    payload_limit: Type.Integer(),
    seconds_to_finish: Type.Integer(),
  }),
)

const TEST_ONCE_IN_MS = 10_000

/** The calls that send. Each answers 202 once the message is stored; the sending itself is the worker's. */
export function registerSendingRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/send-test-notification',
    {
      config: { access: 'user', effect: 'write' },
      schema: {
        tags: ['Sending'],
        summary: 'Send a test notification to yourself; administrators: to anyone',
        querystring: Type.Object({ user_id: Id, title: Title, text: Text }),
        response: answers(202, Started, 401, 403, 422),
      },
    },
    async (request, reply) => {
      const { user_id, title, text } = request.query
      const { userId, role } = principalOf(request)
      if (user_id !== userId && !can(role, 'campaigns')) throw errors.forbidden({ entity: 'user', entityId: user_id })
      const send = { userIds: [user_id], content: { title, text }, promotional: false, senderId: userId }
      const test = { ...send, userField: 'user_id', onceInMs: TEST_ONCE_IN_MS }
      const started = await sendToUsers(deps, test, async (tx, stored) => {
        if (can(role, 'campaigns')) await auditSend(tx, deps, request, stored, { audience: 'test', user_id })
      })
      return reply.code(202).send(answerOf(started, 'Test notification accepted'))
    },
  )

  app.post(
    '/api/send-group-join-notification',
    {
      config: { access: 'user', limits: ['group-join'] },
      schema: {
        tags: ['Sending'],
        summary: 'Tell a group’s administrator that you ask to join',
        body: Body({
          admin_user_id: Id,
          title: Title,
          text: Text,
          link: Type.String({ minLength: 1, maxLength: 2_000 }),
        }),
        response: answers(202, Started, 400, 401, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const { admin_user_id, title, text, link } = request.body
      const { userId } = principalOf(request)
      await deps.rateLimits.hit('group-join-pair', `${userId}:${admin_user_id}`)
      const content = { title, text, data: { link } }
      const send = { userIds: [admin_user_id], content, promotional: false, senderId: userId }
      const message = 'Group join notification accepted'
      const started = await sendToUsers(
        deps,
        { ...send, userField: 'admin_user_id', linkField: 'link' },
        (tx, stored) => request.idempotency?.completeIn(tx, 202, answerOf(stored, message)),
      )
      return reply.code(202).send(answerOf(started, message))
    },
  )

  for (const [url, audience, who] of BULK_SENDS) {
    app.post(
      url,
      {
        config: { access: 'campaigns', limits: ['bulk-send'] },
        schema: {
          tags: ['Sending'],
          summary: `Start a bulk send to ${who}; it runs in the background`,
          body: Body(Content),
          response: answers(202, Started, 400, 401, 403, 409, 413, 415, 422),
        },
      },
      async (request, reply) => {
        const send = { audience, content: request.body, senderId: principalOf(request).userId }
        const started = await startBulkSend(deps, send, async (tx, stored) => {
          await request.idempotency?.completeIn(tx, 202, answerOf(stored, 'Bulk send started'))
          await auditSend(tx, deps, request, stored, { audience })
        })
        return reply.code(202).send(answerOf(started, 'Bulk send started'))
      },
    )
  }

  app.post(
    '/api/admin/send-notification-all/preview',
    {
      config: { access: 'campaigns', notIdempotent: 'It stores nothing.' },
      schema: {
        tags: ['Sending'],
        summary: 'What a send to everyone would do now: audience, skips, bytes, time',
        body: Body(Content),
        response: answers(200, Preview, 400, 401, 403, 413, 415, 422),
      },
    },
    async (request) => ok(await previewBulkSend(deps, 'all', request.body), 'Preview'),
  )

  app.post(
    '/api/admin/send-notification',
    {
      config: { access: 'campaigns' },
      schema: {
        tags: ['Sending'],
        summary: 'Send to named users in one call',
        body: Body({
          user_ids: Type.Array(Id, { minItems: 1, maxItems: 5_000 }),
          ...Content,
          promotional: Type.Optional(Type.Boolean()),
        }),
        response: answers(202, Started, 400, 401, 403, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const { user_ids, promotional = false, ...content } = request.body
      const send = { userIds: user_ids, content, promotional, senderId: principalOf(request).userId }
      const started = await sendToUsers(deps, send, async (tx, stored) => {
        await request.idempotency?.completeIn(tx, 202, answerOf(stored, 'Notification accepted'))
        await auditSend(tx, deps, request, stored, { audience: 'users', users: user_ids.length, promotional })
      })
      return reply.code(202).send(answerOf(started, 'Notification accepted'))
    },
  )
}

const BULK_SENDS = [
  ['/api/admin/send-notification-all', 'all', 'everyone'],
  ['/api/admin/send-notification-sandbox', 'sandbox', 'test users'],
] as const

/** Leaves the audit entry of a send in its transaction (decision C14); what is said stays with the message. */
function auditSend(
  tx: Tx,
  deps: Deps,
  request: FastifyRequest,
  { messageId }: StartedMessage,
  after: Record<string, unknown>,
): Promise<void> {
  const change = { before: null, after, subjectId: null }
  return recordAudit(tx, deps, actorOf(request), {
    action: 'notification.send',
    entity: 'message',
    entityId: messageId,
    change,
  })
}

function answerOf({ messageId, status, audience }: StartedMessage, message: string) {
  return ok({ notification_id: messageId, status, audience }, message)
}
