import { Type, type Static } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { answers, Body, Component, pickFields, Nullable, Page, Timestamp } from '../../platform/http/envelope.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { Lines } from '../../platform/http/text.ts'
import { answerPage, PageQuery } from '../../platform/lists/pagination.ts'
import { Transaction, toTransaction } from '../statistics/swap-report.views.ts'
import { Side, SwapDetails, toSwapDetails } from '../swaps/swap-file.views.ts'
import { registerDecision } from './decisions.routes.ts'
import { listDisputes, type WaitingDispute } from './disputes.ts'

const DisputeView = Component('OpenDispute', {
  swap: Transaction,
  side: Type.Union([Side, Type.Null()]),
  reason: Nullable(Type.String()),
  opened_at: Timestamp,
  waiting_seconds: Type.Integer(),
})

export function registerDisputesRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/v1/disputes', {
    access: 'swaps',
    operationId: 'listDisputes',
    summary: 'Open disputes with their age, oldest first',
    querystring: Type.Object(PageQuery),
    response: answers(200, Page(DisputeView)),
    handler: ({ query }) =>
      answerPage(query, { message: 'Open disputes', view: toDispute, find: (page) => listDisputes(deps, page) }),
  })

  registerDecision(app, deps, {
    kind: 'dispute',
    url: '/api/admin/v1/swap/:id/resolve',
    operationId: 'resolveDispute',
    summary: 'Resolve a dispute; the swap is completed or cancelled, and both sides get a push',
    message: 'Dispute resolved',
    body: Body({
      resolution: Type.Enum(['completed', 'cancelled']),
      note: Lines({ maxLength: 1_000, description: 'For administrators only.' }),
    }),
    given: ({ resolution: verdict, note }) => ({ verdict, note }),
    answer: SwapDetails,
    view: (file) => toSwapDetails(file, { limit: 0 }),
  })
}

function toDispute({ dispute, swap, waitedMs }: WaitingDispute): Static<typeof DisputeView> {
  return {
    ...pickFields(DisputeView, dispute),
    swap: toTransaction(swap),
    waiting_seconds: Math.floor(waitedMs / 1_000),
  }
}
