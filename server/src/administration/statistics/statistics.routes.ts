import { seesContact } from '../../platform/rights/permissions.ts'
import { Type, type Static } from 'typebox'
import type { PushDeps } from '../../push/deps.ts'
import { CsvQuery, columnsFrom } from '../../platform/http/csv.ts'
import { answers, Id, ok, Page, Success, Component, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import {
  rangeIn,
  readRange,
  SEARCH_REACH,
  readSearch,
  wordSearchIn,
  sortedBy,
  readWords,
} from '../../platform/lists/listing.ts'
import { Words } from '../../platform/http/text.ts'
import { answerPage, PageQuery, reached, type PageBounds } from '../../platform/lists/pagination.ts'
import { type App, registerRoute } from '../../platform/http/routes.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { STORES, SUBSCRIPTION_STATUSES, SWAP_STATUSES } from '../../platform/shared/words.ts'
import { peopleMatching } from '../users/people.ts'
import { orCsv, sendReport } from './csv-reports.views.ts'
import {
  subscriptionReport,
  tallySubscriptions,
  type SubscriptionFilter,
  type SubscriptionRow,
} from './subscription-report.queries.ts'
import { sumSubscriptions } from './subscription-summary.ts'
import { swapReport, type SwapFilter, type SwapPage } from './swap-report.queries.ts'
import { toTransaction, Transaction, TRANSACTIONS, TransactionSummary, PersonView } from './swap-report.views.ts'
import { summariseSwaps, sumStatuses } from './swap-summary.ts'
import { reportOnUser } from './user-report.ts'
import { toUserReport, UserReport } from './user-report.views.ts'

const PlanView = Type.Object({
  code: Type.String(),
  name: Type.String(),
  price_cents: Type.Integer(),
  currency: Type.String(),
  period: Type.Enum(['month', 'year']),
})

const SubscriptionView = Component('Subscription', {
  id: Type.Integer(),
  user: Nullable(PersonView),
  plan: PlanView,
  status: Type.Enum(SUBSCRIPTION_STATUSES),
  provider: Type.Enum(STORES),
  external_id: Type.String(),
  started_at: Timestamp,
  current_period_end: Timestamp,
  cancelled_at: Nullable(Timestamp),
  ended_at: Nullable(Timestamp),
  version: Type.Integer(),
})

const SubscriptionSummaryView = Component('SubscriptionSummary', {
  ...Object.fromEntries(SUBSCRIPTION_STATUSES.map((status) => [status, Type.Integer()])),
  started_in_period: Type.Integer({ description: 'Those of them that started in the range.' }),
  ended_in_period: Type.Integer({ description: 'Those of them that ended in the range.' }),
  mrr_unit: Type.Literal('cents', { description: 'Of mrr_by_currency.' }),
  mrr_by_currency: Type.Record(Type.String(), Type.Integer(), {
    description:
      'Monthly recurring revenue in cents, of active and past due subscriptions. Yearly plans count with a twelfth.',
  }),
})

const SUBSCRIPTIONS = {
  name: 'subscriptions',
  columns: columnsFrom<Static<typeof SubscriptionView>>(SubscriptionView),
  toView: toSubscription,
}

const PEOPLE = 'A search that finds more than 1,000 people gets 422.'

const BASES = { created_at: 'created', accepted_at: 'accepted', completed_at: 'completed' } as const
const SORTS = { ...BASES, transaction_id: 'id' } as const satisfies Record<string, SwapPage['by']>
const WORDS = {
  bases: Object.keys(BASES) as (keyof typeof BASES)[],
  sorts: Object.keys(SORTS) as (keyof typeof SORTS)[],
}

const TransactionQuery = Type.Object({
  ...PageQuery,
  ...rangeIn('Swaps by their `date_field`'),
  ...CsvQuery,
  ...sortedBy(WORDS.sorts, 'desc'),
  date_field: Type.Optional(
    Type.Enum(WORDS.bases, { description: 'The time field that the range applies to; default created_at.' }),
  ),
  search: wordSearchIn(
    'username and name of either side, accents aside; with the right `users` also email and digits of the phone number',
  ),
  status: Type.Optional(Words(SWAP_STATUSES)),
  origin: Type.Optional(Type.Enum(['request', 'match'])),
  user_id: Type.Optional(Id),
  product_id: Type.Optional(Id),
  group_id: Type.Optional(Id),
})

const SubscriptionQuery = Type.Object({
  ...PageQuery,
  ...rangeIn('Subscriptions that ran (up to now)'),
  ...CsvQuery,
  ...sortedBy(['started_at', 'current_period_end', 'id'], 'desc'),
  search: wordSearchIn(
    'username and name, accents aside; with the right `users` also email and digits of the phone number',
  ),
  status: Type.Optional(Words(SUBSCRIPTION_STATUSES)),
  plan: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'The code of a plan.' })),
  provider: Type.Optional(Type.Enum(STORES)),
})

export function registerReportsRoutes(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/v1/report/transaction', {
    access: 'reports',
    effect: 'report',
    operationId: 'reportSwaps',
    summary: 'Swaps, newest first, with a summary; also as CSV',
    description: `The filter by status limits the page; the summary counts all statuses. ${PEOPLE}`,
    querystring: TransactionQuery,
    response: orCsv(Type.Interface([Page(Transaction)], { summary: TransactionSummary, search_reach: SEARCH_REACH })),
    handler: async (request, reply) => {
      const { query } = request
      const people = await peopleMatching(deps, request.caller.role, readSearch(query))
      const filter = { ...readSwapFilter(query), peopleIds: people?.ids }
      const order = { by: SORTS[query.sort_by ?? 'created_at'], direction: query.sort_order ?? 'desc' } as const
      if (query.format === 'csv') {
        const batches = swapReport.stream(deps.db, filter, order)
        return sendReport(deps, { request, reply }, { ...TRANSACTIONS, bom: query.bom, batches, filter })
      }
      const summary = await summariseSwaps(deps.db, filter)
      const total = sumStatuses(summary.by_status, filter.statuses ?? SWAP_STATUSES)
      const find = (page: PageBounds) => swapReport.page(deps, { filter, page: { ...page, ...order }, total })
      const found = await answerPage(query, { message: 'Swaps', view: toTransaction, find })
      return { ...found, summary, ...reached(people?.reach) }
    },
  })

  registerRoute(app, 'GET /api/admin/v1/report/user/:id', {
    access: 'reports',
    operationId: 'reportOneUser',
    summary: 'The report about one user; the range limits the totals and the days of activity',
    querystring: Type.Object(rangeIn('Totals and days of activity')),
    response: answers(200, Success(UserReport), 404),
    handler: async (request) => {
      const { params, query } = request
      const found = await reportOnUser(deps, params.id, readRange(query))
      const view = toUserReport(found, { seesContact: seesContact(request.caller.role) })
      return ok(view, 'Report on the user')
    },
  })

  registerSubscriptionReport(app, deps)
}

function registerSubscriptionReport(app: App, deps: PushDeps): void {
  registerRoute(app, 'GET /api/admin/v1/report/subscription', {
    access: 'reports',
    effect: 'report',
    operationId: 'reportSubscriptions',
    summary: 'Subscriptions that were active in a range, with a summary; also as CSV',
    description: `The filter by status limits the page; the summary counts all statuses. A range selects subscriptions that were active at some time in it, up to now; a range in the future is empty. ${PEOPLE}`,
    querystring: SubscriptionQuery,
    response: orCsv(
      Type.Interface([Page(SubscriptionView)], { summary: SubscriptionSummaryView, search_reach: SEARCH_REACH }),
    ),
    handler: async (request, reply) => {
      const { query } = request
      const { from, to } = readRange(query)
      const statuses = readWords(query.status, SUBSCRIPTION_STATUSES)
      const people = await peopleMatching(deps, request.caller.role, readSearch(query))
      const { plan, provider } = query
      const now = fromNow(deps.clock)
      const filter: SubscriptionFilter = { from, to, now, statuses, plan, provider, peopleIds: people?.ids }
      const order = { by: query.sort_by ?? 'started_at', direction: query.sort_order ?? 'desc' } as const
      if (query.format === 'csv') {
        const batches = subscriptionReport.stream(deps.db, filter, order)
        return sendReport(deps, { request, reply }, { ...SUBSCRIPTIONS, bom: query.bom, batches, filter })
      }
      const summary = sumSubscriptions(await tallySubscriptions(deps.db, { ...filter, statuses: undefined }))
      const total = sumStatuses(summary, statuses ?? SUBSCRIPTION_STATUSES)
      const find = (page: PageBounds) => subscriptionReport.page(deps, { filter, page: { ...page, ...order }, total })
      const found = await answerPage(query, { message: 'Subscriptions', view: toSubscription, find })
      return { ...found, summary, ...reached(people?.reach) }
    },
  })
}

function readSwapFilter(query: Static<typeof TransactionQuery>): SwapFilter {
  const { from, to } = readRange(query)
  return {
    basis: from === undefined && to === undefined ? 'created' : BASES[query.date_field ?? 'created_at'],
    from,
    to,
    statuses: readWords(query.status, SWAP_STATUSES),
    origin: query.origin,
    userId: query.user_id,
    productId: query.product_id,
    groupId: query.group_id,
  }
}

function toSubscription(row: SubscriptionRow): Static<typeof SubscriptionView> {
  const { subscription_id: id, ...rest } = row
  return { ...rest, id }
}
