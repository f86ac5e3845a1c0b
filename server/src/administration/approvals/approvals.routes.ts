import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import type { ListedApproval } from '../../identity/approvals/approvals.queries.ts'
import { answers, Body, Id, Nullable, Page, Success } from '../../platform/http/envelope.ts'
import { NOT_BLANK } from '../../platform/http/fault-sentences.ts'
import type { App } from '../../platform/http/routes.ts'
import { write } from '../../platform/http/write.ts'
import { PageQuery, readPage, paginated } from '../../platform/lists/pagination.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { APPROVAL_STATUSES } from '../../platform/shared/words.ts'
import { approvalsPage, namedPage } from '../../identity/approvals/approvals.ts'
import { approve, refuse } from './approvals.ts'
import { Approval, NamedUser, toApproval } from './approvals.views.ts'

const PATH = '/api/admin/approvals'
const ById = Type.Object({ id: Id })
const Pin = Type.String({ minLength: 64, maxLength: 64, description: 'The `pin` of the approval that you saw.' })
const Reason = Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 1_000, ...NOT_BLANK })))

export function registerApprovalsRoutes(app: App, deps: PushDeps): void {
  const view = (approval: ListedApproval) => toApproval(approval, fromNow(deps.clock))
  registerLists(app, deps, view)
  registerDecisions(app, deps, view)
}

type View = (approval: ListedApproval) => ReturnType<typeof toApproval>

function registerLists(app: App, deps: PushDeps, view: View): void {
  app.get(PATH, {
    config: { access: 'approvals' },
    schema: {
      operationId: 'listApprovals',
      summary: 'Requests that wait for a second administrator, and decided ones, newest first',
      querystring: Type.Object({ ...PageQuery, status: Type.Optional(Type.Enum(APPROVAL_STATUSES)) }),
      response: answers(200, Page(Approval)),
    },
    handler: async ({ query }) => {
      const page = readPage(query)
      const filter = { status: query.status, now: fromNow(deps.clock) }
      const { rows, total } = await approvalsPage(deps.db, { ...filter, ...page })
      return paginated(rows.map(view), total, page, 'Approvals')
    },
  })

  app.get(`${PATH}/:id/users`, {
    config: { access: 'approvals' },
    schema: {
      operationId: 'listApprovalUsers',
      summary: 'All users whom a send that waits for approval names, in its order',
      params: ById,
      querystring: Type.Object({ ...PageQuery }),
      response: answers(200, Page(NamedUser), 404),
    },
    handler: async ({ params, query }) => {
      const page = readPage(query)
      const { rows, total } = await namedPage(deps.db, { approvalId: params.id, ...page })
      return paginated(rows, total, page, 'Users')
    },
  })
}

function registerDecisions(app: App, deps: PushDeps, view: View): void {
  app.post(`${PATH}/:id/approve`, {
    config: { access: 'approvals' },
    schema: {
      operationId: 'approve',
      summary: 'Approve a request of another administrator; it is done at once, exactly as shown',
      params: ById,
      body: Body({ pin: Pin }),
      response: answers(200, Success(Approval), 404),
    },
    handler: async (request, reply) =>
      write(deps, { request, reply }, { message: 'Approved', view }, (work) =>
        approve(work, { sessions: deps.sessions, approvalId: request.params.id, pin: request.body.pin }),
      ),
  })

  app.post(`${PATH}/:id/refuse`, {
    config: { access: 'approvals' },
    schema: {
      operationId: 'refuseApproval',
      summary: 'Refuse a request of another administrator, or withdraw your own',
      params: ById,
      body: Nullable(Body({ reason: Reason })),
      response: answers(200, Success(Approval), 404),
    },
    handler: async (request, reply) => {
      const reason = request.body?.reason ?? null
      return write(deps, { request, reply }, { message: 'Refused', view }, (work) =>
        refuse(work, { approvalId: request.params.id, reason }),
      )
    },
  })
}
