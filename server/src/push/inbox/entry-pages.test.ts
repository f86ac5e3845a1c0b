// Slow: random histories, or many rows.
import * as fc from 'fast-check'
import { describe, expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { scannedBy, watchPlans } from '../../../test/support/plans.ts'
import type { Service } from '../../../test/support/service.ts'
import { listEntries } from './entries.queries.ts'
import { listUnread } from './inbox.queries.ts'

type Page = { data: { message_id: number }[]; next_cursor: string | null }

describe('A list of entries', () => {
  test('goes page by page through any history, in the order in which it came, whatever the ids', async ({
    service,
  }) => {
    const user = await service.given.user()
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 12 })
    let base = 1_000_000
    await fc.assert(
      fc.asyncProperty(ids, fc.integer({ min: 1, max: 4 }), fc.array(fc.boolean()), async (order, limit, read) => {
        base += 10_000
        await service.deps.pool.query('delete from entries where user_id = $1', [user.userId])
        await givenEntries(
          service,
          user,
          order.map((id, n) => ({ id: base + id, minute: n >> 1, isRead: read[n] ?? false })),
        )
        const wanted = order
          .map((id, n) => ({ id: base + id, minute: n >> 1, isRead: read[n] ?? false }))
          .toSorted((a, b) => b.minute - a.minute || b.id - a.id)
        for (const state of ['all', 'unread'] as const) {
          const found: number[] = []
          for (let cursor: string | null = ''; cursor !== null;) {
            const url = `/api/v1/inbox?state=${state}&limit=${limit}${cursor && `&cursor=${cursor}`}`
            const page: Page = (await service.app.inject({ url, headers: user.headers })).json()
            found.push(...page.data.map(({ message_id }) => message_id))
            cursor = page.next_cursor
          }
          expect(found).toEqual(wanted.filter(({ isRead }) => state === 'all' || !isRead).map(({ id }) => id))
        }
      }),
      { numRuns: 25 },
    )
  })

  test('reads by the index what it shows of 20,000 entries, and none that was read at once', async ({ service }) => {
    const user = await service.given.user()
    await givenEntries(
      service,
      user,
      Array.from({ length: 20_000 }, (_, n) => ({ id: 5_000_000 + n, minute: n, isRead: n % 2 === 0 })),
    )
    // Ten others get as many each.
    await service.deps.pool.query(
      `insert into entries (user_id, message_id, made_at, is_listed, has_copy)
       select 1000000 + other, message_id, made_at, true, true from entries, generate_series(1, 10) other`,
    )
    await service.deps.pool.query('analyze entries; analyze bulk_entries; analyze reactions; analyze messages')
    const watch = await watchPlans(service)
    onTestFinished(() => watch.close())
    for (const isUnread of [false, true]) {
      const filter = { isUnread, isArchived: false, kind: undefined }
      expect(await listEntries(watch.deps.db, user.userId, filter, { after: undefined, limit: 21 })).toHaveLength(21)
    }
    const plans = watch.plans.filter((plan) => plan.includes('made_at'))
    expect(plans.length).toBeGreaterThanOrEqual(2)
    expect(scannedBy(plans)).not.toContain('entries')
    for (const plan of plans) expect(plan).toMatch(/Index Scan Backward using entries_in_order/)
    await listUnread(watch.deps.pool, user.userId, 21)
    expect(watch.plans.at(-1)).toMatch(/entries_in_order.*\n.*user_id = .* AND \(made_at >= /)
  })
})

async function givenEntries(
  { deps }: Service,
  { userId }: GivenUser,
  entries: { id: number; minute: number; isRead: boolean }[],
): Promise<void> {
  await deps.pool.query(
    `with wanted as (
      select id, '2026-01-01'::timestamptz + minute * interval '1 minute' as at, is_read
      from unnest($2::bigint[], $3::int[], $4::boolean[]) w(id, minute, is_read)),
    said as (
      insert into messages (message_id, type, audience, lane, needs_opt_in, title, body, created_at, expires_at, updated_at)
      select id, 'promotional', 'users', 'campaign', false, 'No. ' || id, 'x', at, at, at from wanted),
    read as (insert into reactions (user_id, message_id, made_at, read_at) select $1, id, at, at from wanted where is_read)
    insert into entries (user_id, message_id, made_at, is_listed, has_copy) select $1, id, at, true, false from wanted`,
    [userId, entries.map(({ id }) => id), entries.map(({ minute }) => minute), entries.map(({ isRead }) => isRead)],
  )
}
