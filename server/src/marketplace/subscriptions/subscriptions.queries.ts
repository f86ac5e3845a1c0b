import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { MarketplaceTables, Store } from '../../platform/tables/marketplace-tables.ts'

export type Subscription = Selectable<MarketplaceTables['subscriptions']>

/** False when the event counted before. */
export async function insertEvent(
  tx: Tx,
  event: { provider: Store; event_id: string; subscription_id: number; received_at: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('subscription_events')
    .values(event)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function lockSubscription(tx: Tx, provider: Store, externalId: string): Promise<Subscription | undefined> {
  return tx
    .selectFrom('subscriptions')
    .selectAll()
    .where((on) => on.and({ provider, external_id: externalId }))
    .forUpdate()
    .executeTakeFirst()
}

export type OwnSubscription = Subscription & Pick<Plan, 'code' | 'name' | 'price_cents' | 'currency' | 'period'>
type Plan = Selectable<MarketplaceTables['plans']>

/** The active one, else the latest. */
export function findOwnSubscription(db: Db, userId: number): Promise<OwnSubscription | undefined> {
  return db
    .selectFrom('subscriptions as s')
    .innerJoin('plans as p', 'p.plan_id', 's.plan_id')
    .selectAll('s')
    .select(['p.code', 'p.name', 'p.price_cents', 'p.currency', 'p.period'])
    .where('s.user_id', '=', userId)
    .orderBy(sql`s.status = 'expired'`)
    .orderBy('s.subscription_id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Undefined when the user has an active one, or the store's name is taken. */
export async function insertSubscription(
  tx: Tx,
  subscription: Insertable<MarketplaceTables['subscriptions']>,
): Promise<Subscription | undefined> {
  return tx
    .insertInto('subscriptions')
    .values(subscription)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function updateSubscription(
  tx: Tx,
  subscriptionId: number,
  change: Updateable<MarketplaceTables['subscriptions']>,
): Promise<Subscription> {
  return tx
    .updateTable('subscriptions')
    .set({ ...change, version: sql<number>`version + 1` })
    .where('subscription_id', '=', subscriptionId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function findPlanId(db: Db | Tx, code: string): Promise<number | undefined> {
  const row = await db.selectFrom('plans').select('plan_id').where('code', '=', code).executeTakeFirst()
  return row?.plan_id
}

/** Expires cancelled ones and trials whose period is over at `now`, and unpaid ones whose period was over at
 * `graceEnd`. Gives what they were. */
export async function expireEnded(
  tx: Tx,
  { now, graceEnd, limit }: { now: Date; graceEnd: Date; limit: number },
): Promise<Pick<Subscription, 'subscription_id' | 'user_id' | 'status'>[]> {
  const { rows } = await sql<Pick<Subscription, 'subscription_id' | 'user_id' | 'status'>>`
    with ended as (
      select subscription_id, status from subscriptions
      where status in ('cancelled', 'past_due', 'trialing')
        and current_period_end <= ${now} and (status <> 'past_due' or current_period_end <= ${graceEnd})
      order by current_period_end limit ${limit} for update skip locked)
    update subscriptions s set status = 'expired', ended_at = ${now}, updated_at = ${now}, version = version + 1
    from ended where ended.subscription_id = s.subscription_id
    returning s.subscription_id, s.user_id, ended.status`.execute(tx)
  return rows
}

/** The names by which stores know the subscriptions. */
export async function emptyExternalIds(tx: Tx, userIds: number[]): Promise<void> {
  await sql`
    update subscriptions set external_id = 'forgotten-' || subscription_id where user_id = any(${userIds})`.execute(tx)
}
