import { areBlocked } from '../../identity/blocks/hidden.queries.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { MemberStatus } from '../../platform/tables/marketplace-tables.ts'
import { errors, isExpected, type Expected, existing } from '../../platform/shared/errors.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import { publish } from '../events/publish.ts'
import { recordStateChanges } from '../history/history.ts'
import {
  canMeet,
  countMembers,
  findMember,
  listGroupAdmins,
  lockGroup,
  lockGroupsOf,
  saveMember,
  type Group,
  type Member,
  deleteEmptyGroups,
  insertGroup,
  passOnGroups,
  updateGroup,
} from './groups.queries.ts'
import { refuseFaultyText } from '../../platform/shared/plain-text.ts'

type InGroup = { groupId: number }
type OfMember = InGroup & { userId: number }

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
export async function requestToJoin(work: Work, { groupId }: InGroup): Promise<Member> {
  const { tx } = work
  const userId = callerId(work)
  const group = await lockedGroup(tx, groupId)
  const member = await findMember(tx, groupId, userId)
  const isHidden = member === undefined && group.owner_id !== null && (await areBlocked(tx, [userId, group.owner_id]))
  if (isHidden || !isVisible(group, member?.status)) throw errors.notFound('This group')
  const isInvited = member?.status === 'invited'
  if (group.join_policy === 'invite' && !isInvited)
    throw errors.invalidState('You can join this group only with an invitation.')
  if (member?.status === 'pending') return member
  const to = group.join_policy === 'open' || isInvited ? 'approved' : 'pending'
  const joined = await moveMember(work, { groupId, userId, member, to })
  if (to === 'pending') {
    const administrators = await listGroupAdmins(tx, groupId)
    await publish(work, [
      { name: 'group.join_requested', facts: { groupId, userId }, by: userId, recipients: administrators },
    ])
  }
  return joined
}

/** Approves, rejects or bans, or takes back an invitation (rejected). 403 unless an administrator of the group; 409
 * INVALID_STATE when it is decided already. */
export async function decideMember(
  work: Work,
  { groupId, userId, to }: OfMember & { to: 'approved' | 'rejected' | 'banned' },
): Promise<Member> {
  await administeredGroup(work, groupId)
  const member = existing(await findMember(work.tx, groupId, userId), 'This member')
  if (member.role === 'owner') throw errors.invalidState(OWNER_STAYS)
  const isOpen = member.status === 'pending' || (member.status === 'invited' && to === 'rejected')
  if (to !== 'banned' && !isOpen) throw errors.invalidState(`The member is ${member.status}.`)
  const decided = await moveMember(work, { groupId, userId, member, to, role: member.role })
  if (to === 'approved') await tellMember(work, decided)
  return decided
}

/** Invites a person; who has asked to join is a member at once. 404 across a block; 409 INVALID_STATE for members, and
 * for the banned unless the owner invites. */
export async function invite(work: Work, { groupId, userId }: OfMember): Promise<Member> {
  const group = await administeredGroup(work, groupId)
  if (!(await canMeet(work.tx, callerId(work), userId))) throw errors.notFound('This user')
  const member = await findMember(work.tx, groupId, userId)
  if (member?.status === 'invited') return member
  if (member?.status === 'banned' && group.owner_id !== work.by.userId)
    throw errors.invalidState('Only the owner can invite a banned person.')
  const to = member?.status === 'pending' ? 'approved' : 'invited'
  const invited = await moveMember(work, { groupId, userId, member, to })
  await tellMember(work, invited)
  return invited
}

async function tellMember(work: Work, { group_id: groupId, user_id, status }: Member): Promise<void> {
  const name = status === 'approved' ? 'group.joined' : 'group.invited'
  await publish(work, [{ name, facts: { groupId }, by: work.by.userId, recipients: [user_id] }])
}

/** The owner alone may do it (403). */
export async function changeRole(
  work: Work,
  { groupId, userId, role }: OfMember & { role: 'admin' | 'member' },
): Promise<Member> {
  await ownGroup(work, groupId)
  const member = await findMember(work.tx, groupId, userId)
  if (member?.status !== 'approved') throw errors.notFound('This member')
  if (member.role === 'owner') throw errors.invalidState('The role of the owner cannot be changed.')
  await saveMember(work.tx, { ...member, role })
  return { ...member, role }
}

/** Leaving also takes back the wish to join, or declines an invitation. 409 INVALID_STATE for the owner. */
export async function leaveGroup(work: Work, { groupId }: InGroup): Promise<Member> {
  const userId = callerId(work)
  await lockedGroup(work.tx, groupId)
  const member = existing(await findMember(work.tx, groupId, userId), 'This group')
  if (member.role === 'owner') throw errors.invalidState(OWNER_STAYS)
  return moveMember(work, { groupId, userId, member, to: 'left' })
}

export async function areMembers(db: Db | Tx, groupId: number, userIds: number[]): Promise<boolean> {
  return (await countMembers(db, groupId, userIds)) === new Set(userIds).size
}

/** 404 when there is none in use. */
async function lockedGroup(tx: Tx, groupId: number): Promise<Group> {
  return existing(await lockGroup(tx, groupId), 'This group')
}

export function administersGroup(
  member: { status: MemberStatus | null; role: Member['role'] | null } | undefined,
): boolean {
  return member?.status === 'approved' && member.role !== 'member'
}

/** A locked group: 403 unless the one who acts administers it, 404 for those who cannot see it. */
async function administeredGroup(work: Work, groupId: number): Promise<Group> {
  const group = await lockedGroup(work.tx, groupId)
  const member = await findMember(work.tx, groupId, callerId(work))
  if (!isVisible(group, member?.status)) throw errors.notFound('This group')
  if (!administersGroup(member)) throw errors.forbidden()
  return group
}

/** Does the same as `administeredGroup`, and answers 403 unless it is their own. */
async function ownGroup(work: Work, groupId: number): Promise<Group> {
  const group = await administeredGroup(work, groupId)
  if (group.owner_id !== work.by.userId) throw errors.forbidden()
  return group
}

type MemberMove = OfMember & { member?: Member | undefined; to: MemberStatus; role?: Member['role'] }

/** The caller holds the group locked. 409 INVALID_STATE for a move that is not in `MEMBER_MOVES`. */
async function moveMember(work: Work, move: MemberMove): Promise<Member> {
  const { groupId, userId, member, to, role = 'member' } = move
  const from = member?.status ?? null
  if (!MEMBER_MOVES[from ?? 'none'].includes(to))
    throw errors.invalidState(`The member is ${from} and cannot be ${to}.`)
  const now = work.now()
  const isPending = to === 'pending'
  const moved = {
    group_id: groupId,
    user_id: userId,
    role,
    status: to,
    requested_at: member === undefined || isPending ? now : member.requested_at,
    decided_by: isPending ? null : work.by.userId,
    decided_at: isPending ? null : now,
  }
  await saveMember(work.tx, moved)
  const record = { entity: 'group_member', entity_id: groupId, user_id: userId, actor: 'user' } as const
  await recordStateChanges(work, [{ ...record, from_state: from, to_state: to }])
  return moved
}

type GroupText = Pick<Group, 'name' | 'description' | 'visibility' | 'join_policy'>

export async function createGroup(work: Work, about: Partial<GroupText> & { name: string }): Promise<Group> {
  refuseFaultyText({ name: about.name }, 'line')
  const userId = callerId(work)
  const now = work.now()
  const times = { created_at: now, updated_at: now }
  const group = await insertGroup(work.tx, { join_policy: 'request', ...about, ...times, owner_id: userId })
  await moveMember(work, { groupId: group.group_id, userId, role: 'owner', to: 'approved' })
  return group
}

/** 403 for members who do not administer the group, 404 for those who cannot see it, 412 with the group for another
 * version. */
export async function editGroup(
  work: Work,
  { groupId, expected, change }: { groupId: number; expected: Expected; change: Partial<GroupText> },
): Promise<Group> {
  const group = await administeredGroup(work, groupId)
  if (!isExpected(expected, group.version)) throw errors.staleVersion(group)
  return updateGroup(work.tx, groupId, { ...change, updated_at: work.now() })
}

/** Archives a group for good: its members still see it, and nothing happens in it any more. 403 unless its owner. */
export async function archiveOwnGroup(work: Work, groupId: number): Promise<Group> {
  return archive(work, await ownGroup(work, groupId), 'user')
}

/** It is in the audit log. 404 for a group that is not there or archived. */
export async function archiveAnyGroup(work: Work, groupId: number): Promise<Group> {
  const group = await archive(work, await lockedGroup(work.tx, groupId), 'administrator')
  const change = { before: { status: 'active' }, after: { status: 'archived' }, subjectId: group.owner_id }
  await work.audit({ action: 'group.archive', entity: 'group', entityId: groupId, change })
  return group
}

async function archive(work: Work, group: Group, actor: 'user' | 'administrator'): Promise<Group> {
  const { group_id, owner_id } = group
  const change = { entity: 'group', entity_id: group_id, user_id: owner_id, actor } as const
  await recordStateChanges(work, [{ ...change, from_state: 'active', to_state: 'archived' }])
  return updateGroup(work.tx, group_id, { status: 'archived', updated_at: work.now() })
}

/** Deletes the groups in which nobody else is left, and gives the others another owner. */
export async function forgetInGroups(tx: Tx, userIds: number[]): Promise<void> {
  await lockGroupsOf(tx, userIds)
  await deleteEmptyGroups(tx, userIds)
  await passOnGroups(tx, userIds)
}
