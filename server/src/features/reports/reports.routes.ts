import type { FastifyRequest } from 'fastify'
import { Type, type TSchema } from 'typebox'
import type { Deps } from '../../deps.ts'
import { actorOf } from '../../http/actor.ts'
import { CSV_CONTENT, CsvQuery, sendCsv } from '../../http/csv.ts'
import { answers, Id, ok, Page, Success } from '../../http/envelope.ts'
import { RangeQuery, rangeOf, wordsOf } from '../../http/listing.ts'
import { PageQuery, pageOf, paginated } from '../../http/pagination.ts'
import type { App } from '../../http/routes.ts'
import { recordAuditAlone } from '../audit/audit.ts'
import {
  listSubscriptions,
  streamSubscriptions,
  tallySubscriptions,
  type SubscriptionFilter,
} from './subscription-report.queries.ts'
import {
  PROVIDERS,
  SUBSCRIPTION_COLUMNS,
  SubscriptionSummaryView,
  SubscriptionView,
  toSubscription,
} from './subscription-report.views.ts'
import { SUBSCRIPTION_STATUSES, subscriptionsIn, subscriptionSummaryOf } from './subscription-summary.ts'
import { listSwaps, streamSwaps, type SwapFilter, type SwapOrder } from './swap-report.queries.ts'
import { toTransaction, Transaction, TRANSACTION_COLUMNS, TransactionSummary } from './swap-report.views.ts'
import { summariseSwaps, SWAP_STATUSES, totalOf } from './swap-summary.ts'
import { reportOnUser } from './user-report.ts'
import { toUserReport, UserReport } from './user-report.views.ts'

const TAGS = ['Reports']
const Sorting = { sort_order: Type.Optional(Type.Enum(['asc', 'desc'])) }
const Statuses = (words: readonly string[]) =>
  Type.Optional(Type.String({ maxLength: 200, description: `Of ${words.join(', ')}; separated by commas.` }))

const BASES = { created_at: 'created', accepted_at: 'accepted', completed_at: 'completed' } as const
const SORTS = { transaction_id: 'id', ...BASES } as const satisfies Record<string, SwapOrder['by']>
const WORDS = {
  bases: Object.keys(BASES) as (keyof typeof BASES)[],
  sorts: Object.keys(SORTS) as (keyof typeof SORTS)[],
}

const TransactionQuery = Type.Object({
  ...PageQuery,
  ...RangeQuery,
  ...CsvQuery,
  ...Sorting,
  sort_by: Type.Optional(Type.Enum(WORDS.sorts)),
  date_field: Type.Optional(Type.Enum(WORDS.bases, { description: 'What the range is of; default created_at.' })),
  status: Statuses(SWAP_STATUSES),
  origin: Type.Optional(Type.Enum(['request', 'match'])),
  user_id: Type.Optional(Id),
  product_id: Type.Optional(Id),
  group_id: Type.Optional(Id),
})

const SubscriptionQuery = Type.Object({
  ...PageQuery,
  ...RangeQuery,
  ...CsvQuery,
  ...Sorting,
  sort_by: Type.Optional(Type.Enum(['id', 'started_at', 'current_period_end'])),
  status: Statuses(SUBSCRIPTION_STATUSES),
  plan: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'The code of a plan.' })),
  provider: Type.Optional(Type.Enum([...PROVIDERS])),
})

/** The reports on swaps, on a user and on subscriptions (decision C11). */
export function registerReportsRoutes(app: App, deps: Deps): void {
  const { db } = deps

  app.get(
    '/api/admin/v1/report/transaction',
    {
      config: { access: 'reports', effect: 'report' },
      schema: {
        tags: TAGS,
        summary: 'Swaps, newest first, and what they come to; also as CSV',
        description: 'The filter by status narrows the page; the summary is of all statuses.',
        querystring: TransactionQuery,
        response: report(Type.Interface([Page(Transaction)], { summary: TransactionSummary })),
      },
    },
    async (request, reply) => {
      const { query } = request
      const filter = swapFilterOf(query)
      const order: SwapOrder = { by: SORTS[query.sort_by ?? 'created_at'], direction: query.sort_order ?? 'desc' }
      if (query.format === 'csv') {
        await beginCsv(request, 'transactions', filter)
        const batches = streamSwaps(db, filter, order)
        return sendCsv(reply, { name: 'transactions', bom: query.bom, columns: TRANSACTION_COLUMNS, batches })
      }
      const page = pageOf(query)
      const [rows, summary] = await Promise.all([listSwaps(db, filter, { ...page, order }), summariseSwaps(db, filter)])
      return { ...paginated(rows.map(toTransaction), totalOf(summary, filter), page, 'Swaps'), summary }
    },
  )

  app.get(
    '/api/admin/v1/report/user/:id',
    {
      config: { access: 'reports' },
      schema: {
        tags: TAGS,
        summary: 'What there is to say about a user; the range narrows the totals',
        params: Type.Object({ id: Id }),
        querystring: Type.Object(RangeQuery),
        response: answers(200, Success(UserReport), 401, 403, 404, 422),
      },
    },
    async ({ params, query }) => {
      const { from, to } = rangeOf(query)
      return ok(toUserReport(await reportOnUser(deps, params.id, { from, to })), 'Report on the user')
    },
  )

  app.get(
    '/api/admin/v1/report/subscription',
    {
      config: { access: 'reports', effect: 'report' },
      schema: {
        tags: TAGS,
        summary: 'Subscriptions that ran in a range, and what they come to; also as CSV',
        description: 'The filter by status narrows the page; the summary is of all statuses.',
        querystring: SubscriptionQuery,
        response: report(Type.Interface([Page(SubscriptionView)], { summary: SubscriptionSummaryView })),
      },
    },
    async (request, reply) => {
      const { query } = request
      const { from, to } = rangeOf(query)
      const statuses = wordsOf('status', query.status, SUBSCRIPTION_STATUSES)
      const filter: SubscriptionFilter = { from, to, statuses, plan: query.plan, provider: query.provider }
      const order = { by: query.sort_by ?? 'started_at', direction: query.sort_order ?? 'desc' } as const
      if (query.format === 'csv') {
        await beginCsv(request, 'subscriptions', filter)
        const batches = streamSubscriptions(db, filter, order)
        return sendCsv(reply, { name: 'subscriptions', bom: query.bom, columns: SUBSCRIPTION_COLUMNS, batches })
      }
      const page = pageOf(query)
      const [rows, tallies] = await Promise.all([
        listSubscriptions(db, filter, { ...page, order }),
        tallySubscriptions(db, { ...filter, statuses: undefined }),
      ])
      const summary = subscriptionSummaryOf(tallies)
      const total = subscriptionsIn(summary, filter)
      return { ...paginated(rows.map(toSubscription), total, page, 'Subscriptions'), summary }
    },
  )

  /** Counts an export against the caller's limit, and leaves its audit entry. */
  async function beginCsv(request: FastifyRequest, what: string, filter: SwapFilter | SubscriptionFilter) {
    const actor = actorOf(request)
    await deps.rateLimits.hit('export', String(actor.userId))
    const change = { before: null, after: { format: 'csv', filter }, subjectId: null }
    await recordAuditAlone(deps, actor, { action: `${what}.export`, entity: 'report', change })
  }
}

type TransactionQueries = {
  start_date?: string
  end_date?: string
  timezone?: string
  date_field?: keyof typeof BASES
  status?: string
  origin?: 'request' | 'match'
  user_id?: number
  product_id?: number
  group_id?: number
}

function swapFilterOf(query: TransactionQueries): SwapFilter {
  const { from, to } = rangeOf(query)
  return {
    basis: from === undefined && to === undefined ? 'created' : BASES[query.date_field ?? 'created_at'],
    from,
    to,
    statuses: wordsOf('status', query.status, SWAP_STATUSES),
    origin: query.origin,
    userId: query.user_id,
    productId: query.product_id,
    groupId: query.group_id,
  }
}

function report(json: TSchema) {
  return {
    ...answers(200, json, 401, 403, 422),
    200: { content: { 'application/json': { schema: json }, ...CSV_CONTENT } },
  }
}
