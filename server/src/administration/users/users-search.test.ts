import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { watchPlans } from '../../../test/support/plans.ts'
import { findUsers } from './users-list.queries.ts'

test('a word that one of its trigrams tells is looked for by that', async ({ service }) => {
  await sql`
    insert into users (username, email, name, password_hash, role)
    select 'jovanovic' || n, n || '@example.com', 'J', 'x', 'user' from generate_series(1, 2000) n`.execute(
    service.deps.db,
  )
  await sql`analyze users`.execute(service.deps.db)
  const watch = await watchPlans(service)
  const page = { perPage: 20, offset: 0, by: 'id', direction: 'desc' } as const
  const { total } = await findUsers(watch.deps, { deleted: 'exclude', search: 'jovanovic' }, page)
  expect(total).toEqual({ total: 2_000, isEstimate: false })
  expect(watch.plans.filter((plan) => plan.includes('%jov%'))).not.toEqual([])
  await watch.close()
})
