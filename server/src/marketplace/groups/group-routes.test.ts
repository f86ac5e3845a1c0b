import { describe, expect } from 'vitest'
import { test } from '../../../test/support/app.ts'
import { commitAs } from '../../../test/support/commit.ts'
import { expectError, expectInvalid } from '../../../test/support/faults.ts'
import type { GivenUser } from '../../../test/support/given.ts'
import { automaticMessages } from '../../../test/support/marketplace.ts'
import type { Service } from '../../../test/support/service.ts'
import { purgeUsers } from '../../administration/accounts/purge.ts'
import { requestToJoin } from './groups.ts'

type Group = {
  id: number
  name: string
  member_count: number
  pending_count: number | null
  my: { status: string | null }
}
type Page = { data: Group[]; next_cursor: string | null }

function call(
  { app }: Service,
  { headers }: GivenUser,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  payload?: object,
) {
  return app.inject({ method, url: `/api/v1/groups${path}`, headers, ...(payload && { payload }) })
}

async function made(service: Service, owner: GivenUser, about: object): Promise<number> {
  const answer = await call(service, owner, 'POST', '', { name: 'Lamps', ...about })
  expect(answer.statusCode).toBe(201)
  return answer.json<{ data: Group }>().data.id
}

async function block({ app }: Service, { headers }: GivenUser, other: GivenUser): Promise<void> {
  const answer = await app.inject({ method: 'POST', url: `/api/v1/users/${other.userId}/block`, headers })
  expect(answer.statusCode).toBe(200)
}

describe('a group of the app', () => {
  test('is made, found, joined and shown with its members, each screen in one call', async ({ service, deps }) => {
    const [owner, joiner] = [await service.given.user(), await service.given.user()]
    const id = await made(service, owner, { name: 'Art deco lamps', description: 'From Ghent' })
    const found = (await call(service, joiner, 'GET', '?search=ghent')).json<Page>().data
    expect(found).toEqual([
      expect.objectContaining({
        id,
        name: 'Art deco lamps',
        member_count: 1,
        pending_count: null,
        my: { status: null, role: null },
        owner: expect.objectContaining({ id: owner.userId, name: owner.name }) as object,
      }),
    ])
    expect((await call(service, joiner, 'POST', `/${id}/join`)).json()).toMatchObject({ data: { status: 'pending' } })
    expect((await automaticMessages(deps)).at(-1)).toMatchObject({ to: [owner.userId], data: { group_id: id } })
    expect((await call(service, joiner, 'GET', `/${id}`)).json()).toMatchObject({
      data: { my: { status: 'pending', role: null }, members: [], pending_count: null },
    })
    expect((await call(service, owner, 'GET', `/${id}`)).json()).toMatchObject({ data: { pending_count: 1 } })
    expect((await call(service, owner, 'GET', `/${id}/requests`)).json()).toMatchObject({
      data: [{ user: { id: joiner.userId } }],
      next_cursor: null,
    })
    const approve = `/${id}/members/${joiner.userId}/approve`
    expectError(await call(service, joiner, 'POST', approve), 403, 'FORBIDDEN')
    expect((await call(service, owner, 'POST', approve)).json()).toMatchObject({ data: { status: 'approved' } })
    expectError(await call(service, owner, 'POST', approve), 409, 'INVALID_STATE')
    const seen = await call(service, joiner, 'GET', `/${id}?limit=1`)
    expect(seen.json()).toMatchObject({ data: { member_count: 2, members: [{ role: 'owner' }] } })
    const cursor = seen.json<{ next_cursor: string }>().next_cursor
    const rest = await call(service, joiner, 'GET', `/${id}?limit=1&cursor=${cursor}`)
    expect(rest.json()).toMatchObject({ data: { members: [{ user: { id: joiner.userId } }] }, next_cursor: null })
    expect((await call(service, joiner, 'POST', `/${id}/leave`)).json()).toMatchObject({ data: { status: 'left' } })
    expect((await call(service, joiner, 'GET', '?mine=approved')).json()).toMatchObject({ data: [] })
  })

  test('that is private does not exist for strangers, and invited people join at once', async ({ service }) => {
    const [owner, guest, stranger] = [
      await service.given.user(),
      await service.given.user(),
      await service.given.user(),
    ]
    const id = await made(service, owner, { name: 'Secret lamps', visibility: 'private', join_policy: 'invite' })
    for (const person of [guest, stranger]) {
      expect((await call(service, person, 'GET', '?search=secret')).json()).toMatchObject({ data: [] })
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/requests'],
        ['POST', '/join'],
        ['POST', '/archive'],
        ['POST', `/members/${owner.userId}/ban`],
      ] as const)
        expectError(await call(service, person, method, `/${id}${path}`), 404, 'NOT_FOUND')
    }
    expect((await call(service, owner, 'GET', '?mine=approved')).json()).toMatchObject({ data: [{ id }] })
    const ask = () => call(service, owner, 'POST', `/${id}/invitations`, { user_id: guest.userId })
    expect((await ask()).json()).toMatchObject({ data: { status: 'invited', user_id: guest.userId } })
    expect((await ask()).statusCode).toBe(200)
    expect((await call(service, guest, 'GET', '?mine=invited')).json()).toMatchObject({
      data: [{ id, member_count: 1 }],
    })
    expect((await call(service, guest, 'POST', `/${id}/join`)).json()).toMatchObject({ data: { status: 'approved' } })
    expectError(await ask(), 409, 'INVALID_STATE')
    await call(service, owner, 'POST', `/${id}/invitations`, { user_id: stranger.userId })
    expect((await call(service, owner, 'POST', `/${id}/members/${stranger.userId}/reject`)).statusCode).toBe(200)
    expectError(await call(service, stranger, 'POST', `/${id}/join`), 404, 'NOT_FOUND')
  })

  test('neither notifies administrators of a request across a block nor shows it to them, and invites nobody across it', async ({
    service,
    deps,
  }) => {
    const [owner, joiner, admin] = [await service.given.user(), await service.given.user(), await service.given.user()]
    const id = await made(service, owner, {})
    await commitAs(admin, deps, requestToJoin, { groupId: id })
    await call(service, owner, 'POST', `/${id}/members/${admin.userId}/approve`)
    const promote = (who: GivenUser) => call(service, who, 'PATCH', `/${id}/members/${admin.userId}`, { role: 'admin' })
    expectError(await promote(joiner), 403, 'FORBIDDEN')
    expect((await promote(owner)).json()).toMatchObject({ data: { role: 'admin' } })
    expectError(await promote(admin), 403, 'FORBIDDEN')
    await block(service, admin, joiner)
    expect((await call(service, joiner, 'POST', `/${id}/join`)).json()).toMatchObject({ data: { status: 'pending' } })
    expect((await automaticMessages(deps)).at(-1)).toMatchObject({ to: [owner.userId], data: { group_id: id } })
    expect((await call(service, admin, 'GET', `/${id}/requests`)).json()).toMatchObject({ data: [] })
    expect((await call(service, owner, 'GET', `/${id}/requests`)).json()).toMatchObject({ data: [{}] })
    await block(service, owner, joiner)
    expect((await call(service, owner, 'GET', `/${id}/requests`)).json()).toMatchObject({ data: [] })
    expect(
      (await call(service, joiner, 'GET', '?search=lamps')).json<Page>().data.map((group) => group.id),
    ).not.toContain(id)
    const other = await made(service, owner, {})
    const told = await automaticMessages(deps)
    expectError(await call(service, joiner, 'POST', `/${other}/join`), 404, 'NOT_FOUND')
    expect(await automaticMessages(deps)).toEqual(told)
    const invitation = await call(service, owner, 'POST', `/${other}/invitations`, { user_id: joiner.userId })
    expectError(invitation, 404, 'NOT_FOUND')
  })

  test('is changed by its administrators in the version that they saw, and archived by its owner', async ({
    service,
    deps,
  }) => {
    const [owner, member, stranger] = [
      await service.given.user(),
      await service.given.user(),
      await service.given.user(),
    ]
    const id = await made(service, owner, { join_policy: 'open' })
    await call(service, member, 'POST', `/${id}/join`)
    const change = (who: GivenUser, payload: object, version?: string) =>
      service.app.inject({
        method: 'PATCH',
        url: `/api/v1/groups/${id}`,
        headers: { ...who.headers, ...(version && { 'if-match': version }) },
        payload,
      })
    expectError(await change(member, { name: 'Mine' }), 403, 'FORBIDDEN')
    expect((await change(owner, { name: 'Chairs', description: null }, '"v1"')).json()).toMatchObject({
      data: { name: 'Chairs', description: null, version: 2, member_count: 2 },
    })
    expectError(await change(owner, { name: 'Tables' }, '"v1"'), 412, 'STALE_VERSION')
    expectInvalid(await change(owner, {}), 'body')
    expectInvalid(await change(owner, { name: 'a\nb' }), 'name')
    expectInvalid(await change(owner, { join_policy: 'none' }), 'join_policy')
    expectError(await call(service, member, 'POST', `/${id}/archive`), 403, 'FORBIDDEN')
    expect((await call(service, owner, 'POST', `/${id}/archive`)).json()).toMatchObject({
      data: { status: 'archived' },
    })
    expectError(await call(service, owner, 'POST', `/${id}/archive`), 404, 'NOT_FOUND')
    expectError(await call(service, stranger, 'POST', `/${id}/join`), 404, 'NOT_FOUND')
    expectError(await call(service, stranger, 'GET', `/${id}`), 404, 'NOT_FOUND')
    expect((await call(service, member, 'GET', `/${id}`)).json()).toMatchObject({ data: { status: 'archived' } })
    const events = deps.db.selectFrom('state_changes').select('to_state').where('entity', '=', 'group')
    expect(await events.where('entity_id', '=', id).execute()).toEqual([{ to_state: 'archived' }])
  })

  test('goes to another when its owner is purged: an administrator before a member', async ({
    service,
    deps,
    clock,
  }) => {
    const [owner, admin, member] = [await service.given.user(), await service.given.user(), await service.given.user()]
    const id = await made(service, owner, { join_policy: 'open' })
    for (const person of [member, admin]) await call(service, person, 'POST', `/${id}/join`)
    await call(service, owner, 'PATCH', `/${id}/members/${admin.userId}`, { role: 'admin' })
    const gone = { deleted_at: new Date(clock.now()), purge_after: new Date(clock.now()) }
    await deps.db.updateTable('users').set(gone).where('user_id', '=', owner.userId).execute()
    expect(await purgeUsers(deps, new AbortController().signal)).toBe(1)
    expect((await call(service, admin, 'GET', `/${id}`)).json()).toMatchObject({
      data: { owner: { id: admin.userId }, my: { role: 'owner' }, member_count: 2 },
    })
  })
})
