import { Type } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Body, Id, Nullable, ok, Success, Timestamp } from '../../platform/http/envelope.ts'
import { NOT_BLANK } from '../../platform/http/fault-sentences.ts'
import {
  rangeIn,
  readRange,
  SearchedPage,
  wordSearchIn,
  readSearch,
  sortedBy,
  readWords,
} from '../../platform/lists/listing.ts'
import { PageQuery, readPage, paginated, reached, type PageRequest } from '../../platform/lists/pagination.ts'
import { sharedAnswers } from '../../platform/lists/shared-answers.ts'
import { type App, registerChange, registerRoute } from '../../platform/http/routes.ts'
import { Line, Words } from '../../platform/http/text.ts'
import { expectedVersions, withVersion } from '../../platform/http/etag.ts'
import { CONDITIONS, PRODUCT_STATUSES, VERIFICATIONS } from '../../platform/shared/words.ts'
import { detailedProduct, listProducts, updateProduct, type ProductQuery, deleteProduct } from './products.ts'
import { PRODUCT_ORDERS, type ProductPage } from './products-search.queries.ts'
import { Category, Product, ProductDetails, toProduct, toProductDetails } from './products.views.ts'

// Owners may store addresses of the same length.
const ImageUrl = Type.String({
  maxLength: 2_000,
  pattern: String.raw`^https://\S+$`,
  'x-fault': 'must be a web address that begins with https://',
})
const Reason = Type.String({ minLength: 1, maxLength: 500, ...NOT_BLANK })

const Edit = Type.Object(
  {
    id: Id,
    title: Type.Optional(Line({ maxLength: 200 })),
    description: Type.Optional(Type.String({ minLength: 1, maxLength: 5_000, ...NOT_BLANK })),
    category_id: Type.Optional(Id),
    condition: Type.Optional(Type.Enum(CONDITIONS)),
    status: Type.Optional(Type.Enum(PRODUCT_STATUSES)),
    wants: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
    city: Type.Optional(Nullable(Line({ maxLength: 100 }))),
    estimated_value_cents: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }))),
    images: Type.Optional(Type.Array(ImageUrl, { maxItems: 20 })),
  },
  { additionalProperties: false, minProperties: 2 },
)

export function registerProductsRoutes(app: App, deps: PushDeps): void {
  registerList(app, deps)

  registerRoute(app, 'GET /api/admin/v1/products/:id', {
    access: 'products',
    operationId: 'getProduct',
    summary: 'A product with its owner, images, moderation, open reports, swaps and history',
    querystring: Type.Object({ deleted: Type.Optional(Type.Enum(['exclude', 'include'])) }),
    response: answers(200, Success(ProductDetails), 404),
    handler: async ({ params, query }, reply) => {
      const product = toProductDetails(
        await detailedProduct(deps.db, params.id, { withDeleted: query.deleted === 'include' }),
      )
      withVersion(reply, product)
      return ok(product, 'Product')
    },
  })

  registerChange(app, deps, 'PATCH /api/admin/v1/product-update', {
    access: 'products.write',
    operationId: 'updateProduct',
    summary: 'Change a product without changing its verification',
    body: Edit,
    response: answers(200, Success(ProductDetails), 404, 409, 412),
    message: 'Product updated',
    view: toProductDetails,
    rule: (work, request) => {
      const { id: productId, ...edit } = request.body
      return updateProduct(work, { productId, edit, expected: expectedVersions(request) })
    },
  })

  registerChange(app, deps, 'DELETE /api/admin/v1/product/:id', {
    access: 'products.write',
    operationId: 'deleteProduct',
    summary: 'Delete a product; its open swaps are invalidated, and both sides get a push',
    querystring: Type.Object({ reason: Type.Optional(Reason) }),
    body: Nullable(Body({ reason: Type.Optional(Reason) })),
    response: answers(200, Success(Type.Object({ id: Type.Integer(), deleted_at: Timestamp })), 404, 412),
    message: 'Product deleted',
    rule: (work, request) => {
      const reason = request.body?.reason ?? request.query.reason ?? null
      return deleteProduct(work, { productId: request.params.id, reason, expected: expectedVersions(request) })
    },
    view: (deleted) => deleted,
    current: toProductDetails,
  })
}

function registerList(app: App, deps: PushDeps): void {
  type Question = { productFilter: ProductQuery; page: ProductPage & PageRequest }
  const answerPage = sharedAnswers(async ({ productFilter, page }: Question) => {
    const { rows, total, reach } = await listProducts(deps, productFilter, page)
    return { ...paginated(rows.map(toProduct), total, page, 'Products'), ...reached(reach) }
  })

  registerRoute(app, 'GET /api/admin/v1/products', {
    access: 'products',
    operationId: 'listProducts',
    summary: 'Products, newest first',
    querystring: Type.Object({
      ...PageQuery,
      ...rangeIn('Products listed'),
      ...sortedBy(PRODUCT_ORDERS, 'desc'),
      search: wordSearchIn('title and description'),
      status: Type.Optional(Words(PRODUCT_STATUSES)),
      verification: Type.Optional(Words(VERIFICATIONS)),
      condition: Type.Optional(Words(CONDITIONS)),
      user_id: Type.Optional(Id),
      category: Category,
      has_open_reports: Type.Optional(Type.Boolean()),
      deleted: Type.Optional(Type.Enum(['exclude', 'only', 'include'])),
    }),
    response: answers(200, SearchedPage(Product)),
    handler: ({ query }, reply) => {
      const { from, to } = readRange(query)
      const filter = {
        statuses: readWords(query.status, PRODUCT_STATUSES),
        verifications: readWords(query.verification, VERIFICATIONS),
        conditions: readWords(query.condition, CONDITIONS),
        userId: query.user_id,
        category: query.category,
        hasOpenReports: query.has_open_reports,
        deleted: query.deleted ?? 'exclude',
        search: readSearch(query),
        from,
        to,
      }
      const order = { by: query.sort_by ?? 'id', direction: query.sort_order ?? 'desc' }
      return answerPage(reply, { productFilter: filter, page: { ...readPage(query), ...order } })
    },
  })
}
