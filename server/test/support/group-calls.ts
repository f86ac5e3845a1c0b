import { createGroup, requestToJoin } from '../../src/marketplace/groups/groups.ts'
import type { Call } from './calls.ts'
import { commitAs } from './commit.ts'
import type { GivenUser } from './given.ts'
import type { Service } from './service.ts'

/** A group of the caller with people who ask to join, and one of somebody else. */
export type GroupWorld = { groupId: number; otherId: number; askingIds: [number, number]; guestId: number }

export async function givenGroupWorld({ deps, given }: Service, owner: GivenUser): Promise<GroupWorld> {
  const group = async ({ userId: ownerId }: GivenUser, joinPolicy: 'open' | 'request') =>
    (await commitAs({ userId: ownerId }, deps, createGroup, { name: 'Lamps', join_policy: joinPolicy })).group_id
  const [first, second, guest] = [await given.user(), await given.user(), await given.user()]
  const groupId = await group(owner, 'request')
  for (const { userId } of [first, second]) await commitAs({ userId }, deps, requestToJoin, { groupId })
  const otherId = await group(await given.user(), 'open')
  return { groupId, otherId, askingIds: [first.userId, second.userId], guestId: guest.userId }
}

/** The calls of groups and their members, as the owner of one. */
export function createGroupCalls({ groupId, otherId, askingIds, guestId }: GroupWorld): Record<string, Call> {
  const groups = '/api/v1/groups'
  const own = `${groups}/${groupId}`
  const [first, second] = askingIds
  return {
    [`POST ${groups}`]: post(groups, { name: 'Chairs', description: 'All about chairs' }, 201),
    [`GET ${groups}/:id`]: { method: 'GET', url: own, status: 200 },
    [`GET ${groups}/:id/requests`]: { method: 'GET', url: `${own}/requests`, status: 200 },
    [`PATCH ${groups}/:id`]: { method: 'PATCH', url: own, payload: { name: 'Old lamps' }, status: 200 },
    [`POST ${groups}/:id/invitations`]: post(`${own}/invitations`, { user_id: guestId }),
    [`POST ${groups}/:id/members/:user_id/approve`]: post(`${own}/members/${first}/approve`),
    [`PATCH ${groups}/:id/members/:user_id`]: {
      method: 'PATCH',
      url: `${own}/members/${first}`,
      payload: { role: 'admin' },
      status: 200,
    },
    [`POST ${groups}/:id/members/:user_id/reject`]: post(`${own}/members/${second}/reject`),
    [`POST ${groups}/:id/members/:user_id/ban`]: post(`${own}/members/${first}/ban`),
    [`POST ${groups}/:id/join`]: post(`${groups}/${otherId}/join`),
    [`POST ${groups}/:id/leave`]: post(`${groups}/${otherId}/leave`),
    [`POST ${groups}/:id/archive`]: post(`${own}/archive`),
  }
}

function post(url: string, payload?: Record<string, unknown>, status = 200): Call {
  return { method: 'POST', url, status, ...(payload && { payload }) }
}
