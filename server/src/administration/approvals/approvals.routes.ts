import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import type { ListedApproval } from '../../identity/approvals/approvals.queries.ts'
import { answers, Body, Nullable, Page, Success } from '../../platform/http/envelope.ts'
import { NOT_BLANK } from '../../platform/http/fault-sentences.ts'
import { registerChange, registerRoute } from '../../platform/http/register.ts'
import type { App } from '../../platform/http/routes.ts'
import { PageQuery, readPage, paginated } from '../../platform/lists/pagination.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { APPROVAL_STATUSES } from '../../platform/shared/words.ts'
import { approvalsPage, namedPage } from '../../identity/approvals/approvals.ts'
import { approve, refuse } from './decide-approvals.ts'
import { Approval, NamedUser, toApproval } from './approvals.views.ts'

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
    handler: async ({ query }) => {
      const page = readPage(query)
      const filter = { status: query.status, now: fromNow(deps.clock) }
      const { rows, total } = await approvalsPage(deps.db, { ...filter, ...page })
      return paginated(rows.map(view), total, page, 'Approvals')
    },
  })

  registerRoute(app, `GET ${PATH}/:id/users`, {
    access: 'approvals',
    operationId: 'listApprovalUsers',
    summary: 'All users whom a send that waits for approval names, in its order',
    querystring: Type.Object({ ...PageQuery }),
    response: answers(200, Page(NamedUser), 404),
    handler: async ({ params, query }) => {
      const page = readPage(query)
      const { rows, total } = await namedPage(deps.db, { approvalId: params.id, ...page })
      return paginated(rows, total, page, 'Users')
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
    rule: (work, { body, params }) => {
      const reason = body?.reason ?? null
      return refuse(work, { approvalId: params.id, reason })
    },
  })
}
