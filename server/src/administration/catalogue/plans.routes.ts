import { Type } from 'typebox'
import type { AdministrationDeps } from '../deps.ts'
import { answers, Body, Id, Page, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { Line } from '../../platform/http/text.ts'
import { expectedVersions } from '../../platform/http/version.ts'
import { write } from '../../platform/http/write.ts'
import { PageQuery, pageOf, paginated } from '../../platform/lists/pagination.ts'
import { errors } from '../../platform/shared/errors.ts'
import { Plan, Slug, toPlan } from './catalogue.views.ts'
import { addPlan, changePlan } from './plans.ts'
import { listPlans } from './plans.queries.ts'

const ById = Type.Object({ id: Id })
const Name = Line({ maxLength: 100 })
const Price = Type.Integer({ minimum: 0, maximum: 100_000_000 })
const Currency = Type.String({ maxLength: 3, pattern: '^[A-Z]{3}$', 'x-fault': 'must be a code such as EUR' })
const Period = Type.Enum(['month', 'year'])

export function registerPlansRoutes(app: App, deps: AdministrationDeps): void {
  app.get('/api/admin/v1/plans', {
    config: { access: 'catalogue' },
    schema: {
      operationId: 'listPlans',
      summary: 'All plans, by code',
      querystring: Type.Object({ ...PageQuery }),
      response: answers(200, Page(Plan)),
    },
    handler: async ({ query }) => {
      const page = pageOf(query)
      const { rows, total } = await listPlans(deps.db, page)
      return paginated(rows.map(toPlan), total, page, 'Plans')
    },
  })

  app.post('/api/admin/v1/plans', {
    config: { access: 'catalogue' },
    schema: {
      operationId: 'createPlan',
      summary: 'Add a plan',
      body: Body({ code: Slug, name: Name, price_cents: Price, currency: Currency, period: Period }),
      response: answers(201, Success(Plan)),
    },
    handler: async (request, reply) => {
      const answer = { status: 201, message: 'Plan added', view: toPlan } as const
      return write(deps, { request, reply }, answer, (work) => addPlan(work, request.body))
    },
  })

  app.patch('/api/admin/v1/plans/:id', {
    config: { access: 'catalogue' },
    schema: {
      operationId: 'updatePlan',
      summary: 'Change a plan; once people have subscribed, only its name',
      params: ById,
      body: Type.Partial(Type.Object({ name: Name, price_cents: Price, currency: Currency, period: Period }), {
        additionalProperties: false,
      }),
      response: answers(200, Success(Plan), 404, 409, 412),
    },
    handler: async (request, reply) => {
      const change = request.body
      if (Object.keys(change).length === 0) throw errors.validation({ body: ['must contain a field to change'] })
      const asked = { planId: request.params.id, expected: expectedVersions(request), change }
      return write(deps, { request, reply }, { message: 'Plan changed', view: toPlan }, (work) =>
        changePlan(work, asked),
      )
    },
  })
}
