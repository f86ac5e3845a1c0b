import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { answers, Body, Id, Nullable, Success } from '../../platform/http/envelope.ts'
import { NOT_BLANK } from '../../platform/http/fault-sentences.ts'
import {
  rangeIn,
  rangeOf,
  reached,
  SearchedPage,
  wordsIn,
  searchOf,
  sortedBy,
  wordsOf,
} from '../../platform/lists/listing.ts'
import { PageQuery, pageOf, paginated } from '../../platform/lists/pagination.ts'
import type { App } from '../../platform/http/routes.ts'
import { decide, HELD, UndoQuery } from '../desk/decide.routes.ts'
import { Lines, Words } from '../../platform/http/text.ts'
import { expectedVersions } from '../../platform/http/version.ts'
import { decideVerification, listQueue, REASONS, type Verdict } from './verification.ts'
import { CONDITIONS } from '../../marketplace/products/words.ts'
import { Category, ProductDetails, toProductDetails } from '../products/products.views.ts'
import { toWaitingProduct, WaitingProduct } from './verification.views.ts'

const ORDERS = ['submitted_at', 'created_at', 'title', 'estimated_value_cents'] as const
const ById = Type.Object({ id: Id })
const NOTE = {
  note: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1_000, ...NOT_BLANK, description: 'For administrators only.' }),
  ),
  revision: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The revision that the moderator saw.' }),
  ),
}
// At most 500 characters, so that with its data it always fits into a push.
const Message = Lines({ maxLength: 500, description: 'To the owner.' })
const ANSWERS = { ...answers(200, Success(ProductDetails), 400, 401, 403, 404, 409, 412, 413, 415, 422), ...HELD }

const NEGATIVE = [
  ['/api/admin/v1/reject-product/:id', 'rejectProduct', 'rejected', 'Product rejected'],
  ['/api/admin/v1/request-product-changes/:id', 'requestProductChanges', 'changes_requested', 'Changes requested'],
] as const

export function registerVerificationRoutes(app: App, deps: Deps): void {
  registerQueue(app, deps)
  registerVerdicts(app, deps)
}

function registerQueue(app: App, deps: Deps): void {
  app.get('/api/admin/v1/add-product-verification', {
    config: { access: 'verification' },
    schema: {
      operationId: 'listProductsToVerify',
      summary: 'Products that wait for verification, oldest first by default',
      querystring: Type.Object({
        ...PageQuery,
        ...rangeIn('Products submitted'),
        ...sortedBy(ORDERS, 'asc'),
        search: wordsIn('title and description'),
        condition: Type.Optional(Words(CONDITIONS)),
        user_id: Type.Optional(Id),
        category: Category,
      }),
      response: answers(200, SearchedPage(WaitingProduct), 401, 403, 422),
    },
    handler: async ({ query }) => {
      const page = pageOf(query)
      const { from, to } = rangeOf(query)
      const wanted = {
        conditions: wordsOf(query.condition, CONDITIONS),
        userId: query.user_id,
        category: query.category,
        search: searchOf(query),
        submittedFrom: from,
        submittedTo: to,
      }
      const order = { by: query.sort_by ?? 'submitted_at', direction: query.sort_order ?? 'asc' } as const
      const { rows, total, reach } = await listQueue(deps, wanted, { ...page, ...order })
      const found = paginated(rows.map(toWaitingProduct), total, page, 'Products that wait for verification')
      return { ...found, ...reached(reach) }
    },
  })
}

function registerVerdicts(app: App, deps: Deps): void {
  app.post('/api/admin/v1/mark-product-verified/:id', {
    config: { access: 'verification' },
    schema: {
      operationId: 'verifyProduct',
      summary: 'Verify a product; safe to repeat',
      params: ById,
      querystring: UndoQuery,
      body: Nullable(Body(NOTE)),
      response: ANSWERS,
    },
    handler: async (request, reply) => {
      const verdict = { ...seenBy(request, request.body ?? {}), to: 'verified' } as const
      const answer = { message: 'Product verified', view: toProductDetails }
      return decide(deps, { request, reply }, answer, heldOf(verdict))
    },
  })

  for (const [url, operationId, to, message] of NEGATIVE) {
    app.post(url, {
      config: { access: 'verification' },
      schema: {
        operationId,
        summary: `${message}: a push tells the owner why`,
        params: ById,
        querystring: UndoQuery,
        body: Body({ reason_code: Type.Enum([...REASONS]), message: Message, ...NOTE }),
        response: ANSWERS,
      },
      handler: async (request, reply) => {
        const { reason_code: reasonCode, message: words } = request.body
        const verdict = { ...seenBy(request, request.body), to, reasonCode, message: words }
        return decide(deps, { request, reply }, { message, view: toProductDetails }, heldOf(verdict))
      },
    })
  }
}

function heldOf(request: Verdict) {
  const { productId: recordId, to: verdict } = request
  return { kind: 'verification', recordId, verdict, request, rule: decideVerification } as const
}

type Seen = { note?: string; revision?: number }

function seenBy(request: FastifyRequest & { params: { id: number } }, { note, revision }: Seen) {
  return { productId: request.params.id, note: note ?? null, seen: { versions: expectedVersions(request), revision } }
}
