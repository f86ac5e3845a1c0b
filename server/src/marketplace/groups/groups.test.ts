import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { automaticMessages } from '../../../test/support/marketplace.ts'
import type { Service } from '../../../test/support/service.ts'
import { findHistory } from '../history/history.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import {
  createGroup,
  forgetInGroups,
  areMembers,
  changeRole,
  decideMember,
  invite,
  leaveGroup,
  requestToJoin,
} from './groups.ts'
import { commitAs } from '../../../test/support/commit.ts'
import { hold } from '../../../test/support/holds.ts'

describe('a group', () => {
  test('is joined by a request: its administrators are notified, one approves, and each step writes an event', async ({
    service,
  }) => {
    const { deps } = service
    const { owner, joiner, groupId } = await givenGroup(service)
    expect(await commitAs(joiner, deps, requestToJoin, { groupId })).toMatchObject({ status: 'pending' })
    expect(await commitAs(joiner, deps, requestToJoin, { groupId })).toMatchObject({ status: 'pending' })
    const told = (await automaticMessages(deps)).filter(({ data }) => data['group_id'] === groupId)
    const link = `swapbell://groups/${groupId}/requests`
    expect(told).toEqual([{ to: [owner.userId], data: { event: 'group_join_request', group_id: groupId, link } }])
    const both = [owner.userId, joiner.userId]
    expect(await areMembers(deps.db, groupId, both)).toBe(false)
    await commitAs(owner, deps, decideMember, { groupId, userId: joiner.userId, to: 'approved' })
    expect(await areMembers(deps.db, groupId, both)).toBe(true)
    expect((await automaticMessages(deps)).filter(({ data }) => data['group_id'] === groupId).slice(1)).toEqual([
      {
        to: [joiner.userId],
        data: { event: 'group_join_request', group_id: groupId, link: `swapbell://groups/${groupId}` },
      },
    ])
    const events = await findHistory(deps.db, 'group_member', groupId)
    expect(events.map((event) => event.to_state)).toEqual(['approved', 'pending', 'approved'])
  })

  test('that is open is joined at once, and one that invites not at all', async ({ service }) => {
    const { deps } = service
    const open = await givenGroup(service, 'open')
    expect(await commitAs(open.joiner, deps, requestToJoin, { groupId: open.groupId })).toMatchObject({
      status: 'approved',
    })
    const invited = await givenGroup(service, 'invite')
    const ask = commitAs(invited.joiner, deps, requestToJoin, { groupId: invited.groupId })
    await expect(ask).rejects.toMatchObject({ code: 'INVALID_STATE' })
  })

  test('can be left and joined again, but not by a banned member', async ({ service }) => {
    const { deps } = service
    const { owner, joiner, groupId } = await givenGroup(service, 'open')
    const who = { groupId, userId: joiner.userId }
    await commitAs(who, deps, requestToJoin, who)
    await commitAs(who, deps, leaveGroup, who)
    await commitAs(who, deps, requestToJoin, who)
    await commitAs(owner, deps, decideMember, { ...who, to: 'banned' })
    await expect(commitAs(who, deps, requestToJoin, who)).rejects.toMatchObject({ code: 'INVALID_STATE' })
    await expect(commitAs(who, deps, leaveGroup, who)).rejects.toMatchObject({ code: 'INVALID_STATE' })
  })

  test('takes a banned person back by an invitation of its owner, and of nobody else', async ({ service }) => {
    const { deps, given } = service
    const { owner, joiner, groupId } = await givenGroup(service, 'open')
    const helper = await given.user()
    for (const { userId } of [joiner, helper]) await commitAs({ userId }, deps, requestToJoin, { groupId })
    await commitAs(owner, deps, changeRole, { groupId, userId: helper.userId, role: 'admin' })
    const who = { groupId, userId: joiner.userId }
    await commitAs(helper, deps, decideMember, { ...who, to: 'banned' })
    await expect(commitAs(helper, deps, invite, who)).rejects.toMatchObject({ code: 'INVALID_STATE' })
    expect(await commitAs(owner, deps, invite, who)).toMatchObject({ status: 'invited' })
    expect((await automaticMessages(deps)).filter(({ data }) => data['group_id'] === groupId)).toMatchObject([
      { to: [joiner.userId], data: { link: `swapbell://groups/${groupId}` } },
    ])
    expect(await commitAs(who, deps, requestToJoin, who)).toMatchObject({ status: 'approved' })
  })

  test('that a stranger leaves is not there, whether it is private or is none', async ({ service }) => {
    const { deps, given } = service
    const { groupId } = await givenGroup(service, 'invite')
    await deps.db.updateTable('groups').set({ visibility: 'private' }).where('group_id', '=', groupId).execute()
    const { userId } = await given.user()
    const [hidden, none] = [groupId, 1e9].map((id) => commitAs({ userId }, deps, leaveGroup, { groupId: id }))
    const [one, other] = await Promise.allSettled([hidden, none])
    expect(one).toMatchObject({ status: 'rejected', reason: { code: 'NOT_FOUND' } })
    expect(one).toEqual(other)
  })

  test('keeps none of the words of its purged owner', async ({ service }) => {
    const { deps } = service
    const { owner, joiner, groupId } = await givenGroup(service, 'open')
    await deps.db.updateTable('groups').set({ description: 'My words' }).where('group_id', '=', groupId).execute()
    await commitAs(joiner, deps, requestToJoin, { groupId })
    await inTransaction(deps.db, (tx) => forgetInGroups(tx, [owner.userId]))
    const group = await deps.db
      .selectFrom('groups')
      .selectAll()
      .where('group_id', '=', groupId)
      .executeTakeFirstOrThrow()
    expect(group).toMatchObject({ owner_id: joiner.userId, name: `Group ${groupId}`, description: null })
  })

  test('goes with its owner when nobody but deleted accounts is left in it', async ({ service }) => {
    const { deps } = service
    const { owner, joiner, groupId } = await givenGroup(service, 'open')
    await commitAs(joiner, deps, requestToJoin, { groupId })
    const gone = { deleted_at: new Date(deps.clock.now()) }
    await deps.db.updateTable('users').set(gone).where('user_id', '=', joiner.userId).execute()
    await inTransaction(deps.db, (tx) => forgetInGroups(tx, [owner.userId]))
    expect(await deps.db.selectFrom('groups').select('name').where('group_id', '=', groupId).execute()).toEqual([])
  })

  test('is not given to a member who leaves while its owner is purged', async ({ service }) => {
    const { deps, given } = service
    const { owner, joiner, groupId } = await givenGroup(service, 'open')
    const later = await given.user()
    for (const person of [joiner, later]) await commitAs(person, deps, requestToJoin, { groupId })
    const leaving = await hold(
      service,
      `select from groups where group_id = ${groupId} for update;
      update group_members set status = 'left' where group_id = ${groupId} and user_id = ${joiner.userId}`,
    )
    const purged = inTransaction(deps.db, (tx) => forgetInGroups(tx, [owner.userId]))
    await leaving.untilWaiting(1)
    await leaving.commit()
    await purged
    const group = deps.db.selectFrom('groups').select('owner_id').where('group_id', '=', groupId)
    expect(await group.executeTakeFirst()).toEqual({ owner_id: later.userId })
  })

  test('goes to a suspended or banned member only when there is no other', async ({ service }) => {
    const { deps, given } = service
    const { owner, joiner, groupId } = await givenGroup(service, 'open')
    const later = await given.user()
    for (const person of [joiner, later]) await commitAs(person, deps, requestToJoin, { groupId })
    const barred = { status: 'banned' } as const
    await deps.db.updateTable('users').set(barred).where('user_id', '=', joiner.userId).execute()
    const heirOf = async (ownerId: number) => {
      await inTransaction(deps.db, (tx) => forgetInGroups(tx, [ownerId]))
      return deps.db.selectFrom('groups').select('owner_id').where('group_id', '=', groupId).executeTakeFirst()
    }
    expect(await heirOf(owner.userId)).toEqual({ owner_id: later.userId })
    await deps.db.deleteFrom('group_members').where('user_id', '=', owner.userId).execute()
    expect(await heirOf(later.userId)).toEqual({ owner_id: joiner.userId })
  })

  test('has each request decided by an administrator, once', async ({ service }) => {
    const { deps, given } = service
    const { owner, joiner, groupId } = await givenGroup(service)
    const who = { groupId, userId: joiner.userId }
    const byOwner = { ...who, byId: owner.userId, to: 'approved' as const }
    await expect(commitAs({ userId: byOwner.byId }, deps, decideMember, byOwner)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await commitAs(who, deps, requestToJoin, who)
    await expect(commitAs(joiner, deps, decideMember, byOwner)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    await expect(
      commitAs({ userId: byOwner.byId }, deps, decideMember, { ...byOwner, to: 'banned' }),
    ).rejects.toMatchObject({
      code: 'INVALID_STATE',
    })
    const decisions = await Promise.allSettled(
      Array.from({ length: 50 }, () => commitAs({ userId: byOwner.byId }, deps, decideMember, byOwner)),
    )
    expect(decisions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const banOwner = { ...byOwner, userId: owner.userId, to: 'banned' as const }
    await expect(commitAs({ userId: banOwner.byId }, deps, decideMember, banOwner)).rejects.toMatchObject({
      code: 'INVALID_STATE',
    })
    await expect(commitAs(owner, deps, leaveGroup, { groupId })).rejects.toMatchObject({
      code: 'INVALID_STATE',
    })
    const stranger = await given.user()
    await expect(commitAs(stranger, deps, requestToJoin, { groupId: 1e9 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('gets fifty requests of one person at the same time, and its administrators are notified once', async ({
    service,
  }) => {
    const { deps } = service
    const { joiner, groupId } = await givenGroup(service)
    await Promise.all(Array.from({ length: 50 }, () => commitAs(joiner, deps, requestToJoin, { groupId })))
    expect((await automaticMessages(deps)).filter(({ data }) => data['group_id'] === groupId)).toHaveLength(1)
  })
})

async function givenGroup({ deps, given }: Service, joinPolicy: 'open' | 'request' | 'invite' = 'request') {
  const [owner, joiner] = [await given.user(), await given.user()]
  const { group_id: groupId } = await commitAs(owner, deps, createGroup, { name: 'Lamps', join_policy: joinPolicy })
  return { owner, joiner, groupId }
}
