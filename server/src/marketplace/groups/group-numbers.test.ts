// Slow: random histories, or many who do the same at once.
import * as fc from 'fast-check'
import { describe, expect, onTestFinished } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { commitAs } from '../../../test/support/commit.ts'
import { scannedBy, watchPlans } from '../../../test/support/plans.ts'
import { createGroup, decideMember, invite, leaveGroup, requestToJoin } from './groups.ts'
import { listGroups, listMembers } from './group-lists.queries.ts'

describe('the numbers of a group', () => {
  test('are those of its rows after any history', async ({ service, deps }) => {
    const people = [await service.given.user(), await service.given.user(), await service.given.user()]
    const owner = await service.given.user()
    const steps = fc.array(
      fc.tuple(
        fc.constantFrom(...people),
        fc.constantFrom('join', 'leave', 'approved', 'rejected', 'banned', 'invite'),
      ),
      { maxLength: 12 },
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('open' as const, 'request' as const), steps, async (joinPolicy, history) => {
        const { group_id: groupId } = await commitAs(owner, deps, createGroup, {
          name: 'Lamps',
          join_policy: joinPolicy,
        })
        for (const [{ userId }, step] of history) {
          const who = { groupId, userId, byId: owner.userId }
          const move =
            step === 'join'
              ? commitAs(who, deps, requestToJoin, who)
              : step === 'leave'
                ? commitAs(who, deps, leaveGroup, who)
                : step === 'invite'
                  ? commitAs({ userId: who.byId }, deps, invite, who)
                  : commitAs({ userId: who.byId }, deps, decideMember, { ...who, to: step })
          await move.catch((error: { code?: string }) => expect(error.code).toMatch(/INVALID_STATE|NOT_FOUND/))
        }
        const { rows } = await deps.pool.query<Record<string, number>>(
          `select member_count, pending_count,
             (select count(*) from group_members m where m.group_id = g.group_id and status = 'approved')::int as members,
             (select count(*) from group_members m where m.group_id = g.group_id and status = 'pending')::int as pending
           from groups g where group_id = $1`,
          [groupId],
        )
        expect(rows[0]!['member_count']).toBe(rows[0]!['members'])
        expect(rows[0]!['pending_count']).toBe(rows[0]!['pending'])
      }),
      { numRuns: 25 },
    )
  })

  test('are true after fifty people joined at once', async ({ service, deps }) => {
    const { group_id: groupId } = await commitAs({ userId: (await service.given.user()).userId }, deps, createGroup, {
      name: 'Lamps',
      join_policy: 'open' as const,
    })
    const people = await Promise.all(Array.from({ length: 50 }, () => service.given.user()))
    await Promise.all(people.map(({ userId }) => commitAs({ userId }, deps, requestToJoin, { groupId })))
    const group = deps.db.selectFrom('groups').select('member_count').where('group_id', '=', groupId)
    expect(await group.executeTakeFirst()).toEqual({ member_count: 51 })
  })
})

describe('lists of groups', () => {
  test('read no table from end to end with 20,000 groups and a group of 20,000', async ({ service, deps }) => {
    const owner = await service.given.user()
    await service.given.crowd(20_000)
    await deps.pool.query(
      `insert into groups (owner_id, name, visibility, created_at, updated_at)
       select $1, 'Crowd ' || n, case when n % 10 = 0 then 'private' else 'public' end, now(), now() from generate_series(1, 20000) n`,
      [owner.userId],
    )
    await deps.pool.query(
      `insert into group_members (group_id, user_id, status, requested_at, decided_at)
       select (select max(group_id) from groups), user_id, 'approved', now(), now() from users where username like 'crowd-%'`,
    )
    await deps.pool.query('analyze groups; analyze group_members; analyze users; analyze user_blocks')
    const watch = await watchPlans(service)
    onTestFinished(() => watch.close())
    const { db } = watch.deps
    const page = { after: undefined, limit: 21 }
    const lists: [mine: 'approved' | undefined, search: string | undefined][] = [
      [undefined, undefined],
      [undefined, 'crowd 1999'],
      ['approved', undefined],
    ]
    for (const [mine, search] of lists) await listGroups(db, { viewerId: owner.userId, mine, search, ...page })
    const { group_id } = await deps.db
      .selectFrom('groups')
      .select('group_id')
      .orderBy('group_id', 'desc')
      .executeTakeFirstOrThrow()
    expect(await listMembers(db, { viewerId: owner.userId, groupId: group_id, after: 5_000, limit: 21 })).toHaveLength(
      21,
    )
    expect(watch.plans.filter((plan) => /from \(\s*select g|group_members/.test(plan)).length).toBeGreaterThan(3)
    expect(scannedBy(watch.plans).filter((table) => table !== 'user_blocks')).toEqual([])
  })
})
