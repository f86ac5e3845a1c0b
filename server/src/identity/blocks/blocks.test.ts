import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import type { Service } from '../../../test/support/service.ts'
import { areBlocked } from './hidden.queries.ts'

function call({ app }: Service, { headers }: GivenUser, method: 'POST' | 'DELETE', id: number) {
  return app.inject({ method, url: `/api/v1/users/${id}/block`, headers })
}

describe('a block', () => {
  test('works in both directions, may be repeated, and can be removed by its author', async ({ service, deps }) => {
    const [one, other] = [await service.given.user(), await service.given.user()]
    for (let time = 0; time < 2; time++)
      expect((await call(service, one, 'POST', other.userId)).json()).toEqual({
        success: true,
        data: { user_id: other.userId, is_blocked: true },
        message: 'Person blocked',
      })
    expect(await areBlocked(deps.db, [one.userId, other.userId])).toBe(true)
    expect(await areBlocked(deps.db, [other.userId, one.userId])).toBe(true)
    await call(service, other, 'DELETE', one.userId)
    expect(await areBlocked(deps.db, [other.userId, one.userId])).toBe(true)
    for (let time = 0; time < 2; time++)
      expect((await call(service, one, 'DELETE', other.userId)).json()).toMatchObject({ data: { is_blocked: false } })
    expect(await areBlocked(deps.db, [one.userId, other.userId])).toBe(false)
  })

  test('is between two people alone', async ({ service, deps }) => {
    const [me, mine, whose, neither] = await Promise.all(Array.from({ length: 4 }, () => service.given.user()))
    await call(service, me!, 'POST', mine!.userId)
    await call(service, whose!, 'POST', me!.userId)
    const are = (one: GivenUser, other: GivenUser) => areBlocked(deps.db, [one.userId, other.userId])
    expect(await Promise.all([mine!, whose!, neither!].map((other) => are(me!, other)))).toEqual([true, true, false])
    expect(await Promise.all([me!, mine!, whose!].map((other) => are(neither!, other)))).toEqual([false, false, false])
  })

  test('is listed to its author, newest first, page by page, without purged accounts', async ({
    service,
    deps,
    clock,
  }) => {
    const { given, app } = service
    const me = await given.user()
    const people: GivenUser[] = []
    for (let n = 0; n < 6; n++) people.push(await given.user())
    for (const [n, person] of people.entries()) {
      // Two at the same moment.
      if (n !== 3) await clock.tick(1_000)
      await call(service, me, 'POST', person.userId)
    }
    await deps.db
      .updateTable('users')
      .set({ deleted_at: new Date() })
      .where('user_id', '=', people[0]!.userId)
      .execute()
    type Page = { data: { user: object; created_at: string }[]; next_cursor: string | null }
    const readPage = async (query: string) =>
      (await app.inject({ url: `/api/v1/blocks?${query}`, headers: me.headers })).json<Page>()
    const seen: object[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = await readPage(`limit=2&cursor=${cursor}`)
      seen.push(...page.data.map(({ user }) => user))
      cursor = page.next_cursor
    }
    const ids = people.slice(1).map(({ userId }) => userId)
    expect(seen.map((user) => (user as { id: number }).id)).toEqual(ids.toReversed())
    expect(Object.keys(seen[0]!)).toEqual(['id', 'username', 'name', 'avatar_url', 'city'])
    expect((await app.inject({ url: '/api/v1/blocks', headers: people[1]!.headers })).json()).toMatchObject({
      data: [],
    })
    expectInvalid(await app.inject({ url: '/api/v1/blocks?cursor=x', headers: me.headers }), 'cursor')
  })

  test('cannot be of oneself or of an unknown account', async ({ service, deps }) => {
    const [me, gone] = [await service.given.user(), await service.given.user()]
    expectInvalid(await call(service, me, 'POST', me.userId), 'id')
    expectError(await call(service, me, 'POST', 987_654_321), 404, 'NOT_FOUND')
    await deps.db.updateTable('users').set({ deleted_at: new Date() }).where('user_id', '=', gone.userId).execute()
    expectError(await call(service, me, 'POST', gone.userId), 404, 'NOT_FOUND')
    expect((await call(service, me, 'DELETE', 987_654_321)).statusCode).toBe(200)
  })
})
