import { Type, type Static } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Body, Component, Id, Nullable } from '../../platform/http/envelope.ts'
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
import { answerPage, PageQuery, type PageBounds } from '../../platform/lists/pagination.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { Lines, Words } from '../../platform/http/text.ts'
import { CONDITIONS } from '../../platform/shared/words.ts'
import {
  Category,
  Decision,
  PRODUCT,
  ProductDetails,
  toDecision,
  toProduct,
  toProductDetails,
} from '../products/products.views.ts'
import { registerDecision } from './decisions.routes.ts'
import { listQueue, REASONS, type Waiting } from './verification.ts'

const ORDERS = ['submitted_at', 'created_at', 'title', 'estimated_value_cents'] as const
const NOTE = {
  note: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1_000, ...NOT_BLANK, description: 'For administrators only.' }),
  ),
  revision: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The revision that the moderator saw.' }),
  ),
}
// 500 characters always fit into a push with its data.
const Message = Lines({ maxLength: 500, description: 'To the owner.' })

const WaitingProduct = Component('WaitingProduct', {
  ...PRODUCT,
  waiting_seconds: Type.Integer(),
  previous_decision: Nullable(Decision),
  changed_fields: Type.Array(Type.Enum(['title', 'description', 'category_id', 'images']), {
    description: 'The fields that differ from the last verified revision.',
  }),
  last_verified: Nullable(Type.Object({}, { additionalProperties: true, description: 'The last verified revision.' })),
})

const NEGATIVE = [
  ['/api/admin/v1/reject-product/:id', 'rejectProduct', 'rejected', 'Product rejected'],
  ['/api/admin/v1/request-product-changes/:id', 'requestProductChanges', 'changes_requested', 'Changes requested'],
] as const

export function registerVerificationRoutes(app: App, deps: PushDeps): void {
  registerQueue(app, deps)

  registerDecision(app, deps, {
    ...VERDICT,
    url: '/api/admin/v1/mark-product-verified/:id',
    operationId: 'verifyProduct',
    summary: 'Verify a product; safe to repeat',
    message: 'Product verified',
    body: Nullable(Body(NOTE)),
    given: (body) => ({ verdict: 'verified', note: body?.note ?? null, revision: body?.revision }),
  })

  for (const [url, operationId, verdict, message] of NEGATIVE)
    registerDecision(app, deps, {
      ...VERDICT,
      url,
      operationId,
      summary: `${message}: a push tells the owner why`,
      message,
      body: Body({ reason_code: Type.Enum(REASONS), message: Message, ...NOTE }),
      given: ({ reason_code: reasonCode, note = null, ...words }) => ({ verdict, reasonCode, note, ...words }),
    })
}

function registerQueue(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/v1/add-product-verification', {
    access: 'verification',
    operationId: 'listProductsToVerify',
    summary: 'Products that wait for verification, oldest first by default',
    querystring: Type.Object({
      ...PageQuery,
      ...rangeIn('Products submitted'),
      ...sortedBy(ORDERS, 'asc'),
      search: wordSearchIn('title and description'),
      condition: Type.Optional(Words(CONDITIONS)),
      user_id: Type.Optional(Id),
      category: Category,
    }),
    response: answers(200, SearchedPage(WaitingProduct)),
    handler: ({ query }) => {
      const { from, to } = readRange(query)
      const filter = {
        conditions: readWords(query.condition, CONDITIONS),
        userId: query.user_id,
        category: query.category,
        search: readSearch(query),
        submittedFrom: from,
        submittedTo: to,
      }
      const order = { by: query.sort_by ?? 'submitted_at', direction: query.sort_order ?? 'asc' } as const
      const find = (page: PageBounds) => listQueue(deps, filter, { ...page, ...order })
      return answerPage(query, { message: 'Products that wait for verification', view: toWaitingProduct, find })
    },
  })
}

const VERDICT = { kind: 'verification', answer: ProductDetails, view: toProductDetails } as const

function toWaitingProduct(waiting: Waiting): Static<typeof WaitingProduct> {
  const { product, waitedMs, decision, verified, changed } = waiting
  return {
    ...toProduct(product),
    waiting_seconds: Math.floor(waitedMs / 1_000),
    previous_decision: decision ? toDecision(decision) : null,
    changed_fields: changed,
    last_verified: verified ?? null,
  }
}
