import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { defineList } from '../../platform/lists/define-list.queries.ts'
import { joinWithAnd, between, type ListPage, type Order, type RowCondition } from '../../platform/lists/list-rows.ts'
import type { Store, SubscriptionStatus } from '../../platform/tables/marketplace-tables.ts'
import type { Subscription } from '../../marketplace/subscriptions/subscriptions.queries.ts'
import type { Plan } from '../catalogue/catalogue.queries.ts'
import { selectPerson, type Person } from './swap-report.queries.ts'

export type SubscriptionFilter = {
  /** The subscription ran in this period, up to `now`; `from` is inclusive, `to` exclusive. */
  from?: Date | undefined
  to?: Date | undefined
  now: Date
  peopleIds?: number[] | undefined
  statuses?: SubscriptionStatus[] | undefined
  plan?: string | undefined
  provider?: Store | undefined
}

const ORDERS = {
  id: { keys: [sql`s.subscription_id`], isUnique: true },
  started_at: { keys: [sql`s.started_at`] },
  current_period_end: { keys: [sql`s.current_period_end`] },
} satisfies Record<string, Order>

type SubscriptionPage = ListPage<keyof typeof ORDERS>

type Unread = 'user_id' | 'plan_id' | 'store_event_at' | 'created_at' | 'updated_at'

export type SubscriptionRow = Omit<Subscription, Unread> & { user: Person | null; plan: Omit<Plan, 'plan_id'> }

export const subscriptionReport = defineList<SubscriptionFilter, SubscriptionPage['by'], SubscriptionRow>(
  { table: 'subscriptions', alias: 's', id: 'subscription_id', orders: ORDERS, toConditions },
  (chosen, order) => sql`
    select s.subscription_id, s.status, s.provider, s.external_id, s.started_at, s.current_period_end, s.cancelled_at,
      s.ended_at, s.version, ${selectPerson(sql`u`)} as user,
      json_build_object('code', p.code, 'name', p.name, 'price_cents', p.price_cents, 'currency', p.currency, 'period',
        p.period)
        as plan
    from (${chosen}) chosen
    join subscriptions s on s.subscription_id = chosen.subscription_id
    join plans p on p.plan_id = s.plan_id
    left join users u on u.user_id = s.user_id
    order by ${order}`,
)

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
  const within = (moment: RawBuilder<unknown>) =>
    joinWithAnd([sql`${moment} is not null`, ...between(moment, from, to)])
  const { rows } = await sql<SubscriptionTally>`
    select s.status, p.currency, sum(s.n)::bigint as n, sum(s.started)::bigint as started,
      sum(s.ended)::bigint as ended,
      sum(s.n * p.price_cents / case p.period when 'year' then 12.0 else 1.0 end)::float8 as cents_a_month
    from (
      select s.status, s.plan_id, count(*) as n, count(*) filter (where ${within(sql`s.started_at`)}) as started,
        count(*) filter (where ${within(sql`s.ended_at`)}) as ended
      from subscriptions s where ${joinWithAnd(toConditions(filter))} group by 1, 2) s
    join plans p on p.plan_id = s.plan_id
    group by 1, 2 order by 1, 2`.execute(db)
  return rows
}

/** A range selects those that ran in it at any time; a future range has none. */
function toConditions(filter: SubscriptionFilter): RowCondition[] {
  const { from, to, now, statuses, plan, provider, peopleIds } = filter
  return [
    to && sql`s.started_at < ${to}`,
    from && sql`(s.ended_at is null or s.ended_at >= ${from})`,
    from && from > now && sql`false`,
    peopleIds && sql`s.user_id = any(${peopleIds})`,
    statuses && sql`s.status = any(${statuses})`,
    plan !== undefined && sql`s.plan_id = (select plan_id from plans where code = ${plan})`,
    provider && sql`s.provider = ${provider}`,
  ]
}
