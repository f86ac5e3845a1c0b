import { Type, type Static } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Body, Success } from '../../platform/http/envelope.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { Lines } from '../../platform/http/text.ts'
import { write } from '../../platform/http/write.ts'
import { CursorQuery } from '../../platform/lists/cursor-page.ts'
import { errors } from '../../platform/shared/errors.ts'
import { showSwap, type Messages, type SwapFile } from './swap-file.ts'
import { LINES, SwapDetails, toSwapDetails } from './swap-file.views.ts'

const Reason = Lines({
  maxLength: 500,
  description: 'Why you read these messages; the reason is stored in the audit log.',
})

const SwapQuery = Type.Object({
  include: Type.Optional(Type.Enum(['messages'], { description: 'Include the messages; this requires a `reason`.' })),
  reason: Type.Optional(Reason),
  ...CursorQuery,
})

export function registerSwapFileRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/v1/swap/:id', {
    access: 'swaps',
    effect: 'write',
    effectWith: 'include',
    operationId: 'getSwap',
    summary: 'One swap with its items, rounds, dispute and history; its messages for a reason, which is audited',
    querystring: SwapQuery,
    response: answers(200, Success(SwapDetails), 404),
    handler: async (request, reply) => {
      const { messages, view } = toReading(request.query)
      return write(deps, { request, reply }, { message: 'Swap', view }, (work) =>
        showSwap(work, request.params.id, messages),
      )
    },
  })

  registerRoute(app, 'POST /api/admin/v1/swap/:id/messages', {
    access: 'swaps',
    operationId: 'readSwapMessages',
    summary: 'The same with its messages, for a reason, which is audited',
    body: Body({ reason: Reason, ...CursorQuery }),
    response: answers(200, Success(SwapDetails), 404),
    handler: async (request, reply) => {
      const { messages, view } = toReading({ ...request.body, include: 'messages' })
      return write(deps, { request, reply }, { message: 'Messages', view }, (work) =>
        showSwap(work, request.params.id, messages),
      )
    },
  })
}

type Query = { include?: 'messages'; reason?: string; cursor?: string; limit?: number }

/** 422 without a reason. */
function toReading(query: Query): {
  messages: Messages | undefined
  view: (file: SwapFile) => Static<typeof SwapDetails>
} {
  const { include, reason } = query
  const page = LINES.readPage(query)
  const view = (file: SwapFile) => toSwapDetails(file, page)
  if (include === undefined) return { messages: undefined, view }
  if (reason === undefined) throw errors.validation({ reason: ['is required to read messages'] })
  return { messages: { reason, before: page.after?.[0], limit: page.limit }, view }
}
