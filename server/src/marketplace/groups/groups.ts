import { areBlocked } from '../../identity/blocks/blocks.queries.ts'
import type { MarketplaceDeps } from '../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { MemberStatus } from '../../platform/tables/marketplace-tables.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { existing } from '../../platform/shared/must.ts'
import type { Ground } from '../../platform/work/work.ts'
import { publish } from '../events/publish.ts'
import { recordStateChanges } from '../history/history.ts'
import {
  canMeet,
  countMembers,
  findMember,
  listGroupAdmins,
  lockGroup,
  saveMember,
  type Group,
  type Member,
} from './groups.queries.ts'

type GroupDeps = Ground & Pick<MarketplaceDeps, 'db'>
type Membership = { groupId: number; userId: number }

/** Where a membership may go from each state (decision D). */
export const MEMBER_MOVES: Readonly<Record<MemberStatus | 'none', readonly MemberStatus[]>> = {
  none: ['invited', 'pending', 'approved'],
  invited: ['approved', 'rejected', 'left'],
  pending: ['approved', 'rejected', 'left'],
  approved: ['left', 'banned'],
  rejected: ['invited', 'pending', 'approved'],
  left: ['invited', 'pending', 'approved'],
  banned: ['invited'],
}

const SEES_PRIVATE: ReadonlySet<MemberStatus> = new Set(['invited', 'pending', 'approved'])

const OWNER_STAYS = 'The owner cannot leave the group or be removed from it.'

/** True when a person with this membership may know of the group (decision E). */
export function isVisible(group: Pick<Group, 'visibility' | 'status'>, status: MemberStatus | undefined): boolean {
  if (group.status === 'archived') return status === 'approved'
  return group.visibility === 'public' || (status !== undefined && SEES_PRIVATE.has(status))
}

/** Joins an open group or by invitation, else asks its administrators, who get a push (decision D; spec:
 * non-promotional events). 409 INVALID_STATE for members, the banned, and groups that only invite. */
export async function requestToJoin(deps: GroupDeps, tx: Tx, { groupId, userId }: Membership): Promise<MemberStatus> {
  const group = await lockedGroup(tx, groupId)
  const member = await findMember(tx, groupId, userId)
  const isHidden = member === undefined && group.owner_id !== null && (await areBlocked(tx, [userId, group.owner_id]))
  if (isHidden || !isVisible(group, member?.status)) throw errors.notFound('This group')
  const isInvited = member?.status === 'invited'
  if (group.join_policy === 'invite' && !isInvited)
    throw errors.invalidState('You can join this group only with an invitation.')
  if (member?.status === 'pending') return 'pending'
  const to = group.join_policy === 'open' || isInvited ? 'approved' : 'pending'
  await move(tx, group, member, { userId, role: 'member', to, byId: userId, now: fromNow(deps.clock) })
  if (to === 'pending') {
    const told = await listGroupAdmins(tx, groupId)
    await publish(deps, tx, [{ name: 'group.join_requested', facts: { groupId, userId }, by: userId, told }])
  }
  return to
}

/** Approves, rejects or bans, or takes back an invitation (rejected). 403 unless an administrator of the group; 409
 * INVALID_STATE when it is decided already. */
export async function decideMember(
  deps: GroupDeps,
  tx: Tx,
  { groupId, userId, byId, to }: Membership & { byId: number; to: 'approved' | 'rejected' | 'banned' },
): Promise<MemberStatus> {
  const group = await administeredGroup(tx, groupId, byId)
  const member = existing(await findMember(tx, groupId, userId), 'This member')
  if (member.role === 'owner') throw errors.invalidState(OWNER_STAYS)
  const isOpen = member.status === 'pending' || (member.status === 'invited' && to === 'rejected')
  if (to !== 'banned' && !isOpen) throw errors.invalidState(`The member is ${member.status}.`)
  await move(tx, group, member, { userId, role: member.role, to, byId, now: fromNow(deps.clock) })
  if (to === 'approved') await tell(deps, tx, 'group.joined', { groupId, userId, byId })
  return to
}

/** Invites a person; who has asked to join is a member at once. 404 across a block; 409 INVALID_STATE for members, and
 * for the banned unless the owner invites. */
export async function invite(
  deps: GroupDeps,
  tx: Tx,
  { groupId, userId, byId }: Membership & { byId: number },
): Promise<MemberStatus> {
  const group = await administeredGroup(tx, groupId, byId)
  if (!(await canMeet(tx, byId, userId))) throw errors.notFound('This user')
  const member = await findMember(tx, groupId, userId)
  if (member?.status === 'invited') return 'invited'
  if (member?.status === 'banned' && group.owner_id !== byId)
    throw errors.invalidState('Only the owner can invite a banned person.')
  const to = member?.status === 'pending' ? 'approved' : 'invited'
  await move(tx, group, member, { userId, role: 'member', to, byId, now: fromNow(deps.clock) })
  await tell(deps, tx, to === 'approved' ? 'group.joined' : 'group.invited', { groupId, userId, byId })
  return to
}

async function tell(
  deps: GroupDeps,
  tx: Tx,
  name: 'group.joined' | 'group.invited',
  { groupId, userId, byId }: Membership & { byId: number },
): Promise<void> {
  await publish(deps, tx, [{ name, facts: { groupId }, by: byId, told: [userId] }])
}

/** The owner alone may do it (403). */
export async function changeRole(
  tx: Tx,
  { groupId, userId, byId, role }: Membership & { byId: number; role: 'admin' | 'member' },
): Promise<'admin' | 'member'> {
  const group = await administeredGroup(tx, groupId, byId)
  if (group.owner_id !== byId) throw errors.forbidden()
  const member = await findMember(tx, groupId, userId)
  if (member?.status !== 'approved') throw errors.notFound('This member')
  if (member.role === 'owner') throw errors.invalidState('The role of the owner cannot be changed.')
  await saveMember(tx, { ...member, role })
  return role
}

/** Leaving also takes back the wish to join, or declines an invitation. 409 INVALID_STATE for the owner. */
export async function leaveGroup(deps: GroupDeps, tx: Tx, { groupId, userId }: Membership): Promise<MemberStatus> {
  const group = await lockedGroup(tx, groupId)
  const member = existing(await findMember(tx, groupId, userId), 'This group')
  if (member.role === 'owner') throw errors.invalidState(OWNER_STAYS)
  await move(tx, group, member, { userId, role: 'member', to: 'left', byId: userId, now: fromNow(deps.clock) })
  return 'left'
}

export async function areMembers(db: Db | Tx, groupId: number, userIds: number[]): Promise<boolean> {
  return (await countMembers(db, groupId, userIds)) === new Set(userIds).size
}

/** 404 when there is none in use. */
export async function lockedGroup(tx: Tx, groupId: number): Promise<Group> {
  return existing(await lockGroup(tx, groupId), 'This group')
}

export function administersGroup(
  member: { status: MemberStatus | null; role: Member['role'] | null } | undefined,
): boolean {
  return member?.status === 'approved' && member.role !== 'member'
}

/** A locked group: 403 unless the person administers it, 404 for those who cannot see it. */
export async function administeredGroup(tx: Tx, groupId: number, userId: number): Promise<Group> {
  const group = await lockedGroup(tx, groupId)
  const member = await findMember(tx, groupId, userId)
  if (!isVisible(group, member?.status)) throw errors.notFound('This group')
  if (!administersGroup(member)) throw errors.forbidden()
  return group
}

export type MemberMove = { userId: number; role: Member['role']; to: MemberStatus; byId: number; now: Date }

/** The caller holds the group locked. 409 INVALID_STATE for a move that is not in `MEMBER_MOVES`. */
export async function move(tx: Tx, group: Group, member: Member | undefined, change: MemberMove): Promise<void> {
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
