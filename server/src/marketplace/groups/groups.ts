import type { Deps } from '../../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { MemberStatus } from '../../platform/tables/marketplace-tables.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { refuseFaultyText } from '../../platform/shared/plain-text.ts'
import type { AutomaticDeps } from '../../push/messages/automatic.ts'
import { publish } from '../events/publish.ts'
import { recordStateChanges } from '../history/history.ts'
import {
  countMembers,
  deleteEmptyGroups,
  findMember,
  insertGroup,
  listGroupAdmins,
  lockGroup,
  saveMember,
  type Group,
  type Member,
} from './groups.queries.ts'

type GroupDeps = AutomaticDeps & Pick<Deps, 'db'>
type Membership = { groupId: number; userId: number }

/** Where a membership may go from each of its states (decision D); null: there is none yet. */
export const MEMBER_MOVES: Readonly<Record<MemberStatus | 'none', readonly MemberStatus[]>> = {
  none: ['invited', 'pending', 'approved'],
  invited: ['approved', 'left'],
  pending: ['approved', 'rejected', 'left'],
  approved: ['left', 'banned'],
  rejected: ['invited', 'pending', 'approved'],
  left: ['invited', 'pending', 'approved'],
  banned: [],
}

/** Makes a group, whose maker owns it and is its first member. 422 on a name that is not plain text of one line. */
export async function createGroup(
  { clock }: Pick<Deps, 'db' | 'clock'>,
  tx: Tx,
  { ownerId, name, joinPolicy }: { ownerId: number; name: string; joinPolicy: Group['join_policy'] },
): Promise<Group> {
  refuseFaultyText({ name }, 'line')
  const now = fromNow(clock)
  const times = { created_at: now, updated_at: now }
  const group = await insertGroup(tx, { owner_id: ownerId, name, join_policy: joinPolicy, ...times })
  await move(tx, group, undefined, { userId: ownerId, role: 'owner', to: 'approved', byId: ownerId, now })
  return group
}

/**
 * Asks to join a group: in an open one the caller is a member at once, else the group's administrators get a "group
 * join request" push (decision D; spec: non-promotional events). Asking again while it is pending changes nothing. 404
 * when there is no such group; 409 INVALID_STATE for members, the banned, and groups that only invite.
 */
export async function requestToJoin(deps: GroupDeps, tx: Tx, { groupId, userId }: Membership): Promise<MemberStatus> {
  const group = await lockedGroup(tx, groupId)
  if (group.join_policy === 'invite') throw errors.invalidState('Members of this group are invited.')
  const member = await findMember(tx, groupId, userId)
  if (member?.status === 'pending') return 'pending'
  const to = group.join_policy === 'open' ? 'approved' : 'pending'
  await move(tx, group, member, { userId, role: 'member', to, byId: userId, now: fromNow(deps.clock) })
  if (to === 'pending') {
    const told = await listGroupAdmins(tx, groupId)
    await publish(deps, tx, [{ name: 'group.join_requested', facts: { groupId }, by: userId, told }])
  }
  return to
}

/**
 * Decides about a member, as an administrator of the group: approves or rejects who asks, bans who is in. 403 for
 * others; 404 for who never asked; 409 INVALID_STATE when it is decided already. Nobody bans the owner.
 */
export async function decideMember(
  deps: GroupDeps,
  tx: Tx,
  { groupId, userId, byId, to }: Membership & { byId: number; to: 'approved' | 'rejected' | 'banned' },
): Promise<void> {
  const group = await lockedGroup(tx, groupId)
  if (!(await listGroupAdmins(tx, groupId)).includes(byId)) throw errors.forbidden()
  const member = await findMember(tx, groupId, userId)
  if (member === undefined) throw errors.notFound('This member')
  if (member.role === 'owner') throw errors.invalidState('The owner of a group stays in it.')
  if (to !== 'banned' && member.status !== 'pending') throw errors.invalidState(`The member is ${member.status}.`)
  await move(tx, group, member, { userId, role: member.role, to, byId, now: fromNow(deps.clock) })
}

/** Leaves a group, or takes back the wish to join. Its owner cannot (409 INVALID_STATE). */
export async function leaveGroup(deps: GroupDeps, tx: Tx, { groupId, userId }: Membership): Promise<void> {
  const group = await lockedGroup(tx, groupId)
  const member = await findMember(tx, groupId, userId)
  if (member === undefined) throw errors.notFound('This member')
  if (member.role === 'owner') throw errors.invalidState('The owner of a group stays in it.')
  await move(tx, group, member, { userId, role: 'member', to: 'left', byId: userId, now: fromNow(deps.clock) })
}

/** True when all of these people are members of a group. */
export async function areMembers(db: Db | Tx, groupId: number, userIds: number[]): Promise<boolean> {
  return (await countMembers(db, groupId, userIds)) === new Set(userIds).size
}

async function lockedGroup(tx: Tx, groupId: number): Promise<Group> {
  const group = await lockGroup(tx, groupId)
  if (group === undefined) throw errors.notFound('This group')
  return group
}

type MemberMove = { userId: number; role: Member['role']; to: MemberStatus; byId: number; now: Date }

async function move(tx: Tx, group: Group, member: Member | undefined, change: MemberMove): Promise<void> {
  const { userId, role, to, byId, now } = change
  const from = member?.status ?? null
  if (!MEMBER_MOVES[from ?? 'none'].includes(to))
    throw errors.invalidState(`The member is ${from} and cannot be ${to}.`)
  const isDecided = to !== 'pending'
  await saveMember(tx, {
    group_id: group.group_id,
    user_id: userId,
    role,
    status: to,
    requested_at: member === undefined || to === 'pending' ? now : member.requested_at,
    decided_by: isDecided ? byId : null,
    decided_at: isDecided ? now : null,
  })
  const record = { entity: 'group_member', entity_id: group.group_id, user_id: userId, note: null, at: now } as const
  await recordStateChanges(tx, [{ ...record, from_state: from, to_state: to, actor: 'user', actor_id: byId }])
}

/** Removes the groups that end with these people, as when accounts are purged. */
export async function forgetInGroups(tx: Tx, userIds: number[]): Promise<void> {
  await deleteEmptyGroups(tx, userIds)
}
