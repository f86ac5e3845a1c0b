import { Type, type Static } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Body, Id, Nullable, Page, Success, Component, pickFields } from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { Line } from '../../platform/http/text.ts'
import { readEdit } from '../../platform/http/etag.ts'
import { answerPage, PageQuery } from '../../platform/lists/pagination.ts'
import { addCategory, changeCategory, removeCategory, addPlan, changePlan } from './catalogue.ts'
import {
  listCategories,
  listPlans,
  type Category as CategoryRow,
  type ListedCategory,
  type ListedPlan,
} from './catalogue.queries.ts'

const Price = Type.Integer({ minimum: 0, maximum: 100_000_000 })
const Currency = Type.String({ maxLength: 3, pattern: '^[A-Z]{3}$', 'x-fault': 'must be a code such as EUR' })
const Period = Type.Enum(['month', 'year'])

const Slug = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[a-z0-9][a-z0-9_-]*$',
  'x-fault': 'must have only lower-case letters, digits, dashes and underscores',
})

const CATEGORY = {
  id: Type.Integer(),
  parent_id: Nullable(Type.Integer()),
  slug: Type.String(),
  name: Type.String(),
  version: Type.Integer(),
}
const Category = Component('Category', CATEGORY)
const CategoryItem = Component('CategoryInUse', {
  ...CATEGORY,
  is_used: Type.Boolean({
    description: 'Whether it contains products or other categories, so that it cannot be deleted.',
  }),
})

const Plan = Component('Plan', {
  id: Type.Integer(),
  code: Type.String(),
  name: Type.String(),
  price_cents: Type.Integer(),
  currency: Type.String(),
  period: Type.Enum(['month', 'year']),
  version: Type.Integer(),
  is_used: Type.Boolean({
    description: 'Whether people have subscribed, so that price, currency and period can no longer change.',
  }),
})

const Name = Line({ maxLength: 100 })
const ParentId = Type.Optional(Nullable(Id))

export function registerCategoriesRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/v1/categories', {
    access: 'catalogue',
    operationId: 'listCategories',
    summary: 'All categories, by name',
    querystring: Type.Object({ ...PageQuery }),
    response: answers(200, Page(CategoryItem)),
    handler: ({ query }) =>
      answerPage(query, {
        message: 'Categories',
        view: (row: ListedCategory) => ({ ...toCategory(row), is_used: row.is_used }),
        find: (page) => listCategories(deps.db, page),
      }),
  })

  registerChange(app, deps, 'POST /api/admin/v1/categories', {
    access: 'catalogue',
    operationId: 'createCategory',
    summary: 'Add a category, at the top or below another',
    body: Body({ name: Name, slug: Slug, parent_id: ParentId }),
    response: answers(201, Success(Category)),
    message: 'Category added',
    view: toCategory,
    rule: (work, { body }) => addCategory(work, { parent_id: null, ...body }),
  })

  registerChange(app, deps, 'PATCH /api/admin/v1/categories/:id', {
    access: 'catalogue',
    operationId: 'updateCategory',
    summary: 'Rename or move a category',
    body: Body({ name: Type.Optional(Name), parent_id: ParentId }),
    response: answers(200, Success(Category), 404, 412),
    message: 'Category changed',
    view: toCategory,
    rule: (work, request) => changeCategory(work, { categoryId: request.params.id, ...readEdit(request) }),
  })

  registerChange(app, deps, 'DELETE /api/admin/v1/categories/:id', {
    access: 'catalogue',
    operationId: 'deleteCategory',
    summary: 'Delete an empty category',
    response: answers(200, Success(Category), 404, 409),
    message: 'Category deleted',
    view: toCategory,
    rule: (work, { params }) => removeCategory(work, params.id),
  })
}

export function registerPlansRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/v1/plans', {
    access: 'catalogue',
    operationId: 'listPlans',
    summary: 'All plans, by code',
    querystring: Type.Object({ ...PageQuery }),
    response: answers(200, Page(Plan)),
    handler: ({ query }) =>
      answerPage(query, { message: 'Plans', view: toPlan, find: (page) => listPlans(deps.db, page) }),
  })

  registerChange(app, deps, 'POST /api/admin/v1/plans', {
    access: 'catalogue',
    operationId: 'createPlan',
    summary: 'Add a plan',
    body: Body({ code: Slug, name: Name, price_cents: Price, currency: Currency, period: Period }),
    response: answers(201, Success(Plan)),
    message: 'Plan added',
    view: toPlan,
    rule: (work, { body }) => addPlan(work, body),
  })

  registerChange(app, deps, 'PATCH /api/admin/v1/plans/:id', {
    access: 'catalogue',
    operationId: 'updatePlan',
    summary: 'Change a plan; once people have subscribed, only its name',
    body: Type.Partial(Type.Object({ name: Name, price_cents: Price, currency: Currency, period: Period }), {
      additionalProperties: false,
    }),
    response: answers(200, Success(Plan), 404, 409, 412),
    message: 'Plan changed',
    view: toPlan,
    rule: (work, request) => changePlan(work, { planId: request.params.id, ...readEdit(request) }),
  })
}

function toCategory(row: CategoryRow): Static<typeof Category> {
  return { ...pickFields(Category, row), id: row.category_id }
}

function toPlan(row: ListedPlan): Static<typeof Plan> {
  return { ...pickFields(Plan, row), id: row.plan_id }
}
