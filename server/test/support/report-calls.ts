import { randomUUID } from 'node:crypto'
import type { Deps } from '../../src/deps.ts'
import type { GivenUser } from './given.ts'
import type { Service } from './service.ts'

/** Asks for a report, by its path below `/report/`. */
export function getReport({ app }: Service, caller: GivenUser, path: string) {
  return app.inject({ url: `/api/admin/v1/report/${path}`, headers: caller.headers })
}

/** A stored plan. */
export async function givenPlan(
  { db }: Deps,
  plan: { price_cents: number; currency: string; period: 'month' | 'year' },
) {
  const row = await db
    .insertInto('plans')
    .values({ code: randomUUID(), name: 'Plus', ...plan })
    .returning('plan_id')
    .executeTakeFirstOrThrow()
  return row.plan_id
}

type Wishes = {
  plan_id: number
  status: 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired'
  started_at?: Date
  ended_at?: Date
}

/** A stored subscription of somebody, as it is now. */
export async function givenSubscription({ db, clock }: Deps, user: GivenUser, wishes: Wishes): Promise<number> {
  const now = new Date(clock.now())
  const row = await db
    .insertInto('subscriptions')
    .values({
      user_id: user.userId,
      provider: 'manual',
      external_id: randomUUID(),
      current_period_end: now,
      started_at: now,
      created_at: now,
      updated_at: now,
      ...wishes,
    })
    .returning('subscription_id')
    .executeTakeFirstOrThrow()
  return row.subscription_id
}
