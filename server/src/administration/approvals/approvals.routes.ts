import { Type, type Static } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import type { ListedApproval } from '../../identity/approvals/approvals.queries.ts'
import { answers, Body, Nullable, Page, Success, pickFields, Timestamp } from '../../platform/http/envelope.ts'
import { NOT_BLANK } from '../../platform/http/fault-sentences.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { answerPage, PageQuery, type PageBounds } from '../../platform/lists/pagination.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { APPROVAL_STATUSES, APPROVAL_KINDS, BULK_ACTIONS, ROLES } from '../../platform/shared/words.ts'
import { approvalsPage, namedPage } from '../../identity/approvals/approvals.ts'
import { approve, refuse } from './decide-approvals.ts'
import { LANGUAGES, type Language } from '../../platform/shared/languages.ts'
import { readRequestedSend, type RequestedSend } from '../../push/messages/stored-send.schema.ts'
import type { RequestedBulk } from '../accounts/bulk.ts'
import type { RequestedChange } from '../accounts/account-changes.ts'

const Person = Nullable(Type.Object({ id: Type.Integer(), name: Type.String() }))

const Words = Type.Object({ title: Type.String(), text: Type.String() })
const Texts = Type.Partial(
  Type.Object(Object.fromEntries(LANGUAGES.map((language) => [language, Words])) as Record<Language, typeof Words>),
  { description: 'The words of a system notification in each language, in place of `title` and `text`.' },
)

const NamedUser = Type.Object({ id: Type.Integer(), name: Nullable(Type.String()) })

const Approval = Type.Object({
  id: Type.Integer(),
  kind: Type.Enum(APPROVAL_KINDS),
  status: Type.Enum(APPROVAL_STATUSES),
  pin: Type.String({ description: 'The hash of the request. Send it to approve exactly this.' }),
  send: Nullable(
    Type.Object({
      title: Type.String(),
      text: Type.String(),
      data: Nullable(Type.Record(Type.String(), Type.Unknown())),
      system: Type.Boolean(),
      inbox_only: Type.Boolean({ description: 'To inboxes alone: no phone rings.' }),
      recipients: Type.Integer({
        description: 'The number of users whom it reaches at the time of the request, as its preview says.',
      }),
      texts: Nullable(Texts),
      user_ids: Nullable(
        Type.Array(Type.Integer(), { description: 'The first 500 of the named users; null: everyone.', maxItems: 500 }),
      ),
      users: Nullable(
        Type.Array(NamedUser, {
          description:
            'The first 20 named users; the name is null if the account is gone. Null: everyone. `/users` lists all.',
        }),
      ),
    }),
  ),
  bulk: Nullable(
    Type.Object({
      id: Type.Integer(),
      action: Type.Enum([...BULK_ACTIONS, 'undo']),
      reason: Nullable(Type.String()),
      accounts: Type.Integer(),
    }),
  ),
  role: Nullable(
    Type.Object({
      user_id: Type.Integer(),
      name: Nullable(Type.String()),
      from: Type.Enum(ROLES),
      to: Type.Enum(ROLES),
    }),
  ),
  account: Nullable(
    Type.Object({
      user_id: Type.Integer(),
      name: Nullable(Type.String()),
      fields: Nullable(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'The new values; null: the deleted account is restored.',
        }),
      ),
      password: Type.Boolean({ description: 'Whether it gets a new password too.' }),
    }),
  ),
  asked_by: Person,
  decided_by: Person,
  reason: Nullable(Type.String({ description: 'Why it was refused.' })),
  result: Nullable(
    Type.Object({
      notification_id: Type.Optional(Type.Integer()),
      bulk_id: Type.Optional(Type.Integer()),
      user_id: Type.Optional(Type.Integer()),
    }),
  ),
  created_at: Timestamp,
  expires_at: Timestamp,
  decided_at: Nullable(Timestamp),
})

const PATH = '/api/admin/approvals'
const Pin = Type.String({ minLength: 64, maxLength: 64, description: 'The `pin` of the approval that you saw.' })
const Reason = Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 1_000, ...NOT_BLANK })))

export function registerApprovalsRoutes(app: App, deps: PushDeps): void {
  const view = (approval: ListedApproval) => toApproval(approval, fromNow(deps.clock))

  registerRoute(app, `GET ${PATH}`, {
    access: 'approvals',
    operationId: 'listApprovals',
    summary: 'Requests that wait for a second administrator, and decided ones, newest first',
    querystring: Type.Object({ ...PageQuery, status: Type.Optional(Type.Enum(APPROVAL_STATUSES)) }),
    response: answers(200, Page(Approval)),
    handler: ({ query }) => {
      const filter = { status: query.status, now: fromNow(deps.clock) }
      const find = (page: PageBounds) => approvalsPage(deps.db, { ...filter, ...page })
      return answerPage(query, { message: 'Approvals', view, find })
    },
  })

  registerRoute(app, `GET ${PATH}/:id/users`, {
    access: 'approvals',
    operationId: 'listApprovalUsers',
    summary: 'All users whom a send that waits for approval names, in its order',
    querystring: Type.Object({ ...PageQuery }),
    response: answers(200, Page(NamedUser), 404),
    handler: ({ params: { id: approvalId }, query }) => {
      const find = (page: PageBounds) => namedPage(deps.db, { approvalId, ...page })
      return answerPage(query, { message: 'Users', view: (named) => named, find })
    },
  })

  registerChange(app, deps, `POST ${PATH}/:id/approve`, {
    access: 'approvals',
    operationId: 'approve',
    summary: 'Approve a request of another administrator; it is done at once, exactly as shown',
    body: Body({ pin: Pin }),
    response: answers(200, Success(Approval), 404),
    message: 'Approved',
    view,
    rule: (work, { params, body }) => approve(work, { sessions: deps.sessions, approvalId: params.id, pin: body.pin }),
  })

  registerChange(app, deps, `POST ${PATH}/:id/refuse`, {
    access: 'approvals',
    operationId: 'refuseApproval',
    summary: 'Refuse a request of another administrator, or withdraw your own',
    body: Nullable(Body({ reason: Reason })),
    response: answers(200, Success(Approval), 404),
    message: 'Refused',
    view,
    rule: (work, { body, params }) => refuse(work, { approvalId: params.id, reason: body?.reason ?? null }),
  })
}

function toApproval(row: ListedApproval, now: Date): Static<typeof Approval> {
  const { kind, request, status } = row
  return {
    ...pickFields(Approval, row),
    id: row.approval_id,
    status: status === 'waiting' && row.expires_at <= now ? 'expired' : status,
    send: kind === 'send' ? toSend(readRequestedSend(request), row.named) : null,
    bulk: kind === 'bulk' ? toBulk(request as RequestedBulk) : null,
    role: kind === 'role' ? toRole(request as RequestedChange, row.subject_name) : null,
    account: kind === 'role' ? toAccount(request as RequestedChange, row.subject_name) : null,
    asked_by: toPerson(row.author_id, row.author_name),
    decided_by: toPerson(row.decided_by, row.decider_name),
  }
}

function toSend(
  { content, origin, recipients, texts, audience, isInboxOnly = false }: RequestedSend,
  users: ListedApproval['named'],
) {
  const { title, text, data = null } = content
  const user_ids = audience.kind === 'users' ? [...audience.userIds] : null
  const words = { title, text, data, texts: texts ?? null }
  return { ...words, system: origin === 'system', inbox_only: isInboxOnly, recipients, user_ids, users }
}

function toBulk({ bulkId: id, action, reason, accounts }: RequestedBulk) {
  return { id, action, reason, accounts }
}

function toRole({ userId: user_id, from, fields }: RequestedChange, name: string | null) {
  return fields?.role === undefined ? null : { user_id, name, from: from.role, to: fields.role }
}

function toAccount({ userId: user_id, fields, secret }: RequestedChange, name: string | null) {
  return { user_id, name, fields: fields ?? null, password: secret !== undefined }
}

function toPerson(id: number | null, name: string | null) {
  return id === null || name === null ? null : { id, name }
}
