import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { inBatches } from '../../platform/lists/cursor.ts'
import type { Store, SubscriptionStatus } from '../../platform/tables/marketplace-tables.ts'
import type { Person } from './swap-report.queries.ts'

export type SubscriptionFilter = {
  /** When it ran, up to `now`. From inclusive, to exclusive. */
  from?: Date | undefined
  to?: Date | undefined
  now: Date
  peopleIds?: number[] | undefined
  statuses?: SubscriptionStatus[] | undefined
  plan?: string | undefined
  provider?: Store | undefined
}

const ORDERS = {
  id: sql`s.subscription_id`,
  started_at: sql`s.started_at`,
  current_period_end: sql`s.current_period_end`,
}

export type SubscriptionOrder = { by: keyof typeof ORDERS; direction: 'asc' | 'desc' }

export type SubscriptionRow = {
  subscription_id: number
  user: Person | null
  plan: { code: string; name: string; price_cents: number; currency: string; period: 'month' | 'year' }
  status: SubscriptionStatus
  provider: Store
  external_id: string
  started_at: Date
  current_period_end: Date
  cancelled_at: Date | null
  ended_at: Date | null
  version: number
}

export async function listSubscriptions(
  db: Db,
  filter: SubscriptionFilter,
  page: { perPage: number; offset: number; order: SubscriptionOrder },
): Promise<SubscriptionRow[]> {
  const chosen = sql`${matching(filter)} order by ${orderOf(page.order)} limit ${page.perPage} offset ${page.offset}`
  const { rows } = await shown(chosen, page.order).execute(db)
  return rows
}

export function streamSubscriptions(
  db: Db,
  filter: SubscriptionFilter,
  order: SubscriptionOrder,
): AsyncGenerator<SubscriptionRow[]> {
  return inBatches(db, shown(matching(filter), order))
}

export type SubscriptionTally = {
  status: SubscriptionStatus
  currency: string
  n: number
  started: number
  ended: number
  cents_a_month: number
}

export async function tallySubscriptions(db: Db, filter: SubscriptionFilter): Promise<SubscriptionTally[]> {
  const { from, to } = filter
  const within = (moment: RawBuilder<unknown>) => {
    const bounds = [
      sql`${moment} is not null`,
      ...(from === undefined ? [] : [sql`${moment} >= ${from}`]),
      ...(to === undefined ? [] : [sql`${moment} < ${to}`]),
    ]
    return sql.join(bounds, sql` and `)
  }
  const { rows } = await sql<SubscriptionTally>`
    select s.status, p.currency, sum(s.n)::bigint as n, sum(s.started)::bigint as started, sum(s.ended)::bigint as ended,
      sum(s.n * p.price_cents / case p.period when 'year' then 12.0 else 1.0 end)::float8 as cents_a_month
    from (
      select s.status, s.plan_id, count(*) as n, count(*) filter (where ${within(sql`s.started_at`)}) as started,
        count(*) filter (where ${within(sql`s.ended_at`)}) as ended
      from subscriptions s where ${conditionsOf(filter)} group by 1, 2) s
    join plans p on p.plan_id = s.plan_id
    group by 1, 2 order by 1, 2`.execute(db)
  return rows
}

function matching(filter: SubscriptionFilter): RawBuilder<unknown> {
  return sql`select s.subscription_id from subscriptions s where ${conditionsOf(filter)}`
}

/** A range selects those that ran in it at any time; a future range has none. */
function conditionsOf({ from, to, now, statuses, plan, provider, peopleIds }: SubscriptionFilter): RawBuilder<unknown> {
  const conditions = [
    sql`true`,
    ...(to === undefined ? [] : [sql`s.started_at < ${to}`]),
    ...(from === undefined ? [] : [sql`(s.ended_at is null or s.ended_at >= ${from})`]),
    ...(from === undefined || from <= now ? [] : [sql`false`]),
    ...(peopleIds === undefined ? [] : [sql`s.user_id = any(${peopleIds})`]),
    ...(statuses === undefined ? [] : [sql`s.status = any(${statuses})`]),
    ...(plan === undefined ? [] : [sql`s.plan_id = (select plan_id from plans where code = ${plan})`]),
    ...(provider === undefined ? [] : [sql`s.provider = ${provider}`]),
  ]
  return sql.join(conditions, sql` and `)
}

function orderOf({ by, direction }: SubscriptionOrder): RawBuilder<unknown> {
  const way = direction === 'asc' ? sql`asc` : sql`desc`
  return by === 'id' ? sql`${ORDERS.id} ${way}` : sql`${ORDERS[by]} ${way}, ${ORDERS.id} ${way}`
}

function shown(chosen: RawBuilder<unknown>, order: SubscriptionOrder): RawBuilder<SubscriptionRow> {
  return sql<SubscriptionRow>`
    select s.subscription_id, s.status, s.provider, s.external_id, s.started_at, s.current_period_end, s.cancelled_at,
      s.ended_at, s.version,
      case when u.user_id is not null then json_build_object('id', u.user_id, 'username', u.username, 'name', u.name) end as user,
      json_build_object('code', p.code, 'name', p.name, 'price_cents', p.price_cents, 'currency', p.currency, 'period', p.period)
        as plan
    from (${chosen}) chosen
    join subscriptions s on s.subscription_id = chosen.subscription_id
    join plans p on p.plan_id = s.plan_id
    left join users u on u.user_id = s.user_id
    order by ${orderOf(order)}`
}
