import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Body, Id, Nullable, Page, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { Line } from '../../platform/http/text.ts'
import { expectedVersions } from '../../platform/http/version.ts'
import { write } from '../../platform/http/write.ts'
import { PageQuery, readPage, paginated } from '../../platform/lists/pagination.ts'
import { errors } from '../../platform/shared/errors.ts'
import { addCategory, changeCategory, removeCategory, addPlan, changePlan } from './catalogue.ts'
import { listCategories, listPlans } from './catalogue.queries.ts'
import { Category, CategoryItem, Slug, toCategory, toCategoryItem, Plan, toPlan } from './catalogue.views.ts'

const ById = Type.Object({ id: Id })
const Name = Line({ maxLength: 100 })
const ParentId = Type.Optional(Nullable(Id))

export function registerCategoriesRoutes(app: App, deps: PushDeps): void {
  registerListAndNew(app, deps)
  registerChanges(app, deps)
}

function registerListAndNew(app: App, deps: PushDeps): void {
  app.get('/api/admin/v1/categories', {
    config: { access: 'catalogue' },
    schema: {
      operationId: 'listCategories',
      summary: 'All categories, by name',
      querystring: Type.Object({ ...PageQuery }),
      response: answers(200, Page(CategoryItem)),
    },
    handler: async ({ query }) => {
      const page = readPage(query)
      const { rows, total } = await listCategories(deps.db, page)
      return paginated(rows.map(toCategoryItem), total, page, 'Categories')
    },
  })

  app.post('/api/admin/v1/categories', {
    config: { access: 'catalogue' },
    schema: {
      operationId: 'createCategory',
      summary: 'Add a category, at the top or below another',
      body: Body({ name: Name, slug: Slug, parent_id: ParentId }),
      response: answers(201, Success(Category)),
    },
    handler: async (request, reply) => {
      const { parent_id = null, slug, name } = request.body
      const answer = { status: 201, message: 'Category added', view: toCategory } as const
      return write(deps, { request, reply }, answer, (work) => addCategory(work, { parent_id, slug, name }))
    },
  })
}

function registerChanges(app: App, deps: PushDeps): void {
  app.patch('/api/admin/v1/categories/:id', {
    config: { access: 'catalogue' },
    schema: {
      operationId: 'updateCategory',
      summary: 'Rename or move a category',
      params: ById,
      body: Body({ name: Type.Optional(Name), parent_id: ParentId }),
      response: answers(200, Success(Category), 404, 412),
    },
    handler: async (request, reply) => {
      const change = request.body
      if (Object.keys(change).length === 0) throw errors.validation({ body: ['must contain a field to change'] })
      const input = { categoryId: request.params.id, expected: expectedVersions(request), change }
      return write(deps, { request, reply }, { message: 'Category changed', view: toCategory }, (work) =>
        changeCategory(work, input),
      )
    },
  })

  app.delete('/api/admin/v1/categories/:id', {
    config: { access: 'catalogue' },
    schema: {
      operationId: 'deleteCategory',
      summary: 'Delete an empty category',
      params: ById,
      response: answers(200, Success(Category), 404, 409),
    },
    handler: async (request, reply) =>
      write(deps, { request, reply }, { message: 'Category deleted', view: toCategory }, (work) =>
        removeCategory(work, request.params.id),
      ),
  })
}

const Price = Type.Integer({ minimum: 0, maximum: 100_000_000 })
const Currency = Type.String({ maxLength: 3, pattern: '^[A-Z]{3}$', 'x-fault': 'must be a code such as EUR' })
const Period = Type.Enum(['month', 'year'])

export function registerPlansRoutes(app: App, deps: PushDeps): void {
  app.get('/api/admin/v1/plans', {
    config: { access: 'catalogue' },
    schema: {
      operationId: 'listPlans',
      summary: 'All plans, by code',
      querystring: Type.Object({ ...PageQuery }),
      response: answers(200, Page(Plan)),
    },
    handler: async ({ query }) => {
      const page = readPage(query)
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
      const input = { planId: request.params.id, expected: expectedVersions(request), change }
      return write(deps, { request, reply }, { message: 'Plan changed', view: toPlan }, (work) =>
        changePlan(work, input),
      )
    },
  })
}
