import { Type } from 'typebox'
import type { Deps } from '../../deps.ts'
import { answers, Body, Id, Page, Success } from '../../platform/http/envelope.ts'
import type { App } from '../../platform/http/routes.ts'
import { Lines } from '../../platform/http/text.ts'
import { write } from '../../platform/http/write.ts'
import { decide, HELD, UndoQuery } from '../desk/decide.routes.ts'
import { CursorQuery, limitOf } from '../../platform/lists/cursor-page.ts'
import { PageQuery, pageOf, paginated } from '../../platform/lists/pagination.ts'
import { errors } from '../../platform/shared/errors.ts'
import { listDisputes, resolveDispute, showSwap, type Messages, type SwapFile } from './disputes.ts'
import { beforeOf, DisputeView, SwapDetails, toDispute, toSwapDetails } from './disputes.views.ts'

const ById = Type.Object({ id: Id })

const Reason = Lines({
  maxLength: 500,
  description: 'Why you read these messages; the reason is stored in the audit log.',
})

const SwapQuery = Type.Object({
  include: Type.Optional(Type.Enum(['messages'], { description: 'Include the messages; this requires a `reason`.' })),
  reason: Type.Optional(Reason),
  ...CursorQuery,
})

export function registerDisputesRoutes(app: App, deps: Deps): void {
  registerSwap(app, deps)
  registerDisputes(app, deps)
}

function registerSwap(app: App, deps: Deps): void {
  app.get('/api/admin/v1/swap/:id', {
    config: { access: 'swaps', effect: 'write', effectWith: 'include' },
    schema: {
      operationId: 'getSwap',
      summary: 'One swap with its items, rounds, dispute and history; its messages for a reason, which is audited',
      params: ById,
      querystring: SwapQuery,
      response: answers(200, Success(SwapDetails), 404),
    },
    handler: async (request, reply) => {
      const { query, params } = request
      const limit = limitOf(query)
      const wanted = { swapId: params.id, messages: messagesOf(query, limit) }
      const view = (file: SwapFile) => toSwapDetails(file, limit)
      return write(deps, { request, reply }, { message: 'Swap', view }, ({ tx, by: caller }) =>
        showSwap(deps, tx, caller, wanted),
      )
    },
  })

  app.post('/api/admin/v1/swap/:id/messages', {
    config: { access: 'swaps' },
    schema: {
      operationId: 'readSwapMessages',
      summary: 'The same with its messages, for a reason, which is audited',
      params: ById,
      body: Body({ reason: Reason, ...CursorQuery }),
      response: answers(200, Success(SwapDetails), 404),
    },
    handler: async (request, reply) => {
      const { body, params } = request
      const limit = limitOf(body)
      const wanted = { swapId: params.id, messages: messagesOf({ ...body, include: 'messages' }, limit) }
      const view = (file: SwapFile) => toSwapDetails(file, limit)
      return write(deps, { request, reply }, { message: 'Messages', view }, ({ tx, by: caller }) =>
        showSwap(deps, tx, caller, wanted),
      )
    },
  })
}

function registerDisputes(app: App, deps: Deps): void {
  app.get('/api/admin/v1/disputes', {
    config: { access: 'swaps' },
    schema: {
      operationId: 'listDisputes',
      summary: 'Open disputes with their age, oldest first',
      querystring: Type.Object(PageQuery),
      response: answers(200, Page(DisputeView)),
    },
    handler: async ({ query }) => {
      const page = pageOf(query)
      const { rows, total } = await listDisputes(deps, page)
      return paginated(rows.map(toDispute), total, page, 'Open disputes')
    },
  })

  app.post('/api/admin/v1/swap/:id/resolve', {
    config: { access: 'swaps' },
    schema: {
      operationId: 'resolveDispute',
      summary: 'Resolve a dispute; the swap is completed or cancelled, and both sides get a push',
      params: ById,
      querystring: UndoQuery,
      body: Body({
        resolution: Type.Enum(['completed', 'cancelled']),
        note: Lines({ maxLength: 1_000, description: 'For administrators only.' }),
      }),
      response: { ...answers(200, Success(SwapDetails), 404), ...HELD },
    },
    handler: async (request, reply) => {
      const resolution = { swapId: request.params.id, ...request.body }
      const decision = { kind: 'dispute', recordId: resolution.swapId, verdict: resolution.resolution } as const
      return decide(deps, { request, reply }, RESOLVED, { ...decision, request: resolution, rule: resolveDispute })
    },
  })
}

const RESOLVED = { message: 'Dispute resolved', view: (file: SwapFile) => toSwapDetails(file, 0) }

type Asked = { include?: 'messages'; reason?: string; cursor?: string }

/** One line more than is shown, to know whether there are older ones. 422 without a reason. */
function messagesOf(query: Asked, limit: number): Messages | undefined {
  const before = beforeOf(query)
  if (query.include === undefined) return undefined
  if (query.reason === undefined) throw errors.validation({ reason: ['is required to read messages'] })
  return { reason: query.reason, before, limit: limit + 1 }
}
