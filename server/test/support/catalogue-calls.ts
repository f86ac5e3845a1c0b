import { randomUUID } from 'node:crypto'
import type { Call } from './calls.ts'
import type { Service } from './service.ts'

/** What administrators keep: a category, a plan, a group of somebody, and a session of somebody. */
export type CatalogueWorld = {
  categoryId: number
  planId: number
  groupId: number
  session: { userId: number; sessionId: string }
}

export async function givenCatalogueWorld({ deps, given }: Service): Promise<CatalogueWorld> {
  const { db, clock } = deps
  const at = new Date(clock.now())
  const category = db.insertInto('categories').values({ slug: randomUUID(), name: 'Lamps' })
  const plan = { code: randomUUID(), name: 'Plus', price_cents: 500, currency: 'EUR', period: 'month' } as const
  const { userId } = await given.user()
  const group = { owner_id: userId, name: 'Lamps', created_at: at, updated_at: at }
  const session = db.selectFrom('sessions').select('session_id').where('user_id', '=', userId)
  return {
    categoryId: (await category.returning('category_id').executeTakeFirstOrThrow()).category_id,
    planId: (await db.insertInto('plans').values(plan).returning('plan_id').executeTakeFirstOrThrow()).plan_id,
    groupId: (await db.insertInto('groups').values(group).returning('group_id').executeTakeFirstOrThrow()).group_id,
    session: { userId, sessionId: (await session.executeTakeFirstOrThrow()).session_id },
  }
}

/** The calls by which administrators keep categories, plans, groups and sessions. */
export function createCatalogueCalls({ categoryId, planId, groupId, session }: CatalogueWorld): Record<string, Call> {
  const admin = '/api/admin/v1'
  const plan = { code: randomUUID(), name: 'Pro', price_cents: 900, currency: 'EUR', period: 'year' }
  const category = `${admin}/categories/${categoryId}`
  const { userId, sessionId } = session
  return {
    [`POST ${admin}/categories`]: {
      method: 'POST',
      url: `${admin}/categories`,
      payload: { name: 'Chairs', slug: randomUUID() },
      status: 201,
    },
    [`PATCH ${admin}/categories/:id`]: { method: 'PATCH', url: category, payload: { name: 'Old lamps' }, status: 200 },
    [`DELETE ${admin}/categories/:id`]: { method: 'DELETE', url: category, status: 200 },
    [`POST ${admin}/plans`]: { method: 'POST', url: `${admin}/plans`, payload: plan, status: 201 },
    [`PATCH ${admin}/plans/:id`]: {
      method: 'PATCH',
      url: `${admin}/plans/${planId}`,
      payload: { name: 'More' },
      status: 200,
    },
    [`GET ${admin}/groups/:id`]: { method: 'GET', url: `${admin}/groups/${groupId}`, status: 200 },
    [`POST ${admin}/groups/:id/archive`]: { method: 'POST', url: `${admin}/groups/${groupId}/archive`, status: 200 },
    [`DELETE ${admin}/user/:id/sessions/:session_id`]: {
      method: 'DELETE',
      url: `${admin}/user/${userId}/sessions/${sessionId}`,
      status: 200,
    },
    [`DELETE ${admin}/user/:id/sessions`]: { method: 'DELETE', url: `${admin}/user/${userId}/sessions`, status: 200 },
    // The service of these calls sends no mail.
    [`POST ${admin}/user/:id/mails`]: {
      method: 'POST',
      url: `${admin}/user/${userId}/mails`,
      payload: { kind: 'new_password' },
      status: 503,
    },
  }
}
