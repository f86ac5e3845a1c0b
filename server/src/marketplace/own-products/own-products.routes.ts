import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import {
  answers,
  Body,
  EmptyBody,
  Id,
  Nullable,
  Success,
  Component,
  pickFields,
  Timestamp,
} from '../../platform/http/envelope.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { Line, Lines } from '../../platform/http/text.ts'
import { expectedVersions } from '../../platform/http/etag.ts'
import { CursorPage, CursorQuery, createCursors } from '../../platform/lists/cursor-page.ts'
import { ImageUrl } from '../../platform/people/person.ts'
import { CONDITIONS, PRODUCT_STATUSES, VERIFICATIONS } from '../../platform/shared/words.ts'
import { ProductDetails, toProductDetails } from '../listings/product-page.views.ts'
import { listOwn, type OwnRow } from './own-list.queries.ts'
import {
  createOwnProduct,
  deleteOwnProduct,
  editOwnProduct,
  pauseOwnProduct,
  presentProduct,
  resumeOwnProduct,
  submitOwnProduct,
  type Own,
} from './own-products.ts'
import { Category, toCategory } from '../listings/cards.views.ts'

const CURSORS = createCursors('own products', ['number'])

const OwnCard = Component('OwnProductCard', {
  id: Type.Integer(),
  title: Type.String(),
  image: Nullable(Type.String()),
  category: Category,
  condition: Type.Enum(CONDITIONS),
  city: Nullable(Type.String()),
  status: Type.Enum(PRODUCT_STATUSES),
  verification: Type.Enum(VERIFICATIONS),
  is_listed: Type.Boolean({ description: 'Others can find it in lists.' }),
  is_edit_waiting: Type.Boolean({ description: 'Others see the verified revision while this one waits.' }),
  like_count: Type.Integer(),
  waiting_requests: Type.Integer({ description: 'The number of open proposals that ask for this product.' }),
  version: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

const NEEDED = {
  title: Line({ maxLength: 200 }),
  description: Lines({ maxLength: 5_000 }),
  category_id: Id,
  condition: Type.Enum(CONDITIONS),
}
const FURTHER = {
  images: Type.Array(ImageUrl, {
    maxItems: 10,
    uniqueItems: true,
    description: 'URLs; lists show the first one.',
  }),
  wants: Nullable(Lines({ maxLength: 500 })),
  city: Nullable(Line({ maxLength: 100 })),
  estimated_value_cents: Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })),
}

const NewProduct = Body({
  ...NEEDED,
  ...Type.Partial(Type.Object(FURTHER)).properties,
  submit: Type.Optional(Type.Boolean({ description: 'List it at once; by default it is a draft.' })),
})

const Edit = Type.Partial(Type.Object({ ...NEEDED, ...FURTHER }), { additionalProperties: false, minProperties: 1 })

export function registerOwnProductsRoutes(app: App, deps: PushDeps): void {
  registerOwnList(app, deps)

  registerChange(app, deps, 'POST /api/v1/products', {
    access: 'user',
    limits: ['new-product'],
    operationId: 'createMyProduct',
    summary: 'Create a product, as a draft or listed at once',
    body: NewProduct,
    response: answers(201, Success(ProductDetails)),
    message: 'Product created',
    view: toProductDetails,
    rule: async (work, { body }) => presentProduct(work, await createOwnProduct(work, body)),
  })

  registerChange(app, deps, 'PATCH /api/v1/products/:id', {
    access: 'user',
    operationId: 'updateMyProduct',
    summary: 'Change one of your products',
    description:
      'A change of title, description, category or images of a verified product waits for moderators. Until then others see the verified revision.',
    body: Edit,
    response: answers(200, Success(ProductDetails), 404, 409, 412),
    message: 'Product changed',
    view: toProductDetails,
    rule: async (work, request) =>
      presentProduct(work, await editOwnProduct(work, { ...readTarget(request), edit: request.body })),
  })

  registerChange(app, deps, 'DELETE /api/v1/products/:id', {
    access: 'user',
    operationId: 'deleteMyProduct',
    summary: 'Delete one of your products; not possible while it is promised in a swap',
    response: answers(200, Success(Type.Object({ id: Type.Integer() })), 404, 409, 412),
    message: 'Product deleted',
    rule: (work, request) => deleteOwnProduct(work, readTarget(request)),
    view: ({ product_id: id }) => ({ id }),
    current: toProductDetails,
  })

  for (const action of ['submit', 'pause', 'resume'] as const) {
    const { rule, summary, message } = ACTIONS[action]
    registerChange(app, deps, `POST /api/v1/products/:id/${action}`, {
      access: 'user',
      operationId: `${action}MyProduct`,
      summary,
      body: EmptyBody,
      response: answers(200, Success(ProductDetails), 404, 412),
      message,
      view: toProductDetails,
      rule: async (work, request) => presentProduct(work, await rule(work, readTarget(request))),
    })
  }
}

function registerOwnList(app: App, { db }: PushDeps): void {
  registerRoute(app, 'GET /api/v1/me/products', {
    access: 'user',
    operationId: 'listMyProducts',
    summary: 'Your products, newest first',
    querystring: Type.Object({ ...CursorQuery, status: Type.Optional(Type.Enum(PRODUCT_STATUSES)) }),
    response: answers(200, CursorPage(OwnCard)),
    handler: async (request) => {
      const page = CURSORS.readPage(request.query)
      const rows = await listOwn(db, { userId: request.caller.userId, status: request.query.status, ...page })
      return CURSORS.writePage(rows, page, { keys: ['product_id'], view: toOwnCard, message: 'Your products' })
    },
  })
}

const ACTIONS = {
  submit: {
    rule: submitOwnProduct,
    summary: 'List a draft, or submit again a product that was rejected or needs a change',
    message: 'Product submitted',
  },
  pause: { rule: pauseOwnProduct, summary: 'Take a product off the lists for a while', message: 'Product paused' },
  resume: { rule: resumeOwnProduct, summary: 'Put a paused product back on the lists', message: 'Product resumed' },
} as const

function readTarget(request: FastifyRequest & { params: { id: number } }): Own {
  return { productId: request.params.id, expected: expectedVersions(request) }
}

function toOwnCard(row: OwnRow): Static<typeof OwnCard> {
  return {
    ...pickFields(OwnCard, row),
    id: row.product_id,
    category: toCategory(row),
    is_edit_waiting: row.has_kept_revision,
  }
}
