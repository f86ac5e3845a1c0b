import { Type, type Static } from 'typebox'
import { Component, pickFields, Nullable, Timestamp } from '../../platform/http/envelope.ts'
import { Line, Lines } from '../../platform/http/text.ts'
import { Person, toPerson } from '../../platform/people/person.ts'
import * as words from '../../platform/shared/words.ts'
import { administersGroup } from './groups.ts'
import type { Group, Member } from './groups.queries.ts'
import type { VisibleGroup, VisibleMember } from './group-lists.queries.ts'

export const GroupName = Line({ maxLength: 100 })
export const Description = Nullable(Lines({ maxLength: 2_000 }))
export const Visibility = Type.Enum(words.GROUP_VISIBILITIES, {
  description: 'Only members and invited people see a private group.',
})
export const JoinPolicy = Type.Enum(words.JOIN_POLICIES)

const TEXT = {
  id: Type.Integer(),
  name: Type.String(),
  description: Nullable(Type.String()),
  visibility: Visibility,
  join_policy: JoinPolicy,
  status: Type.Enum(words.GROUP_STATUSES),
  member_count: Type.Integer(),
  version: Type.Integer(),
  created_at: Timestamp,
}

export const GroupText = Component('Group', TEXT)

const SEEN = {
  ...TEXT,
  owner: Type.Union([Person, Type.Null()], { description: 'Null: the account no longer exists, or has blocked you.' }),
  my: Type.Object(
    {
      status: Nullable(Type.String({ enum: [...words.MEMBER_STATUSES, null] })),
      role: Nullable(Type.String({ enum: [...words.MEMBER_ROLES, null] })),
    },
    { description: 'Your status in the group; null: you are not in it.' },
  ),
  pending_count: Nullable(
    Type.Integer({ description: 'The person who asks to join; for the administrators of the group.' }),
  ),
}

export const VisibleGroupItem = Component('GroupItem', SEEN)

export const GroupMember = Component('GroupMember', {
  user: Person,
  role: Type.Enum(words.MEMBER_ROLES),
  joined_at: Nullable(Timestamp),
})

export const GroupWithMembers = Component('GroupWithMembers', { ...SEEN, members: Type.Array(GroupMember) })

export const JoinRequest = Component('JoinRequest', { user: Person, requested_at: Timestamp })

export const Standing = Component('GroupStanding', {
  group_id: Type.Integer(),
  user_id: Type.Integer(),
  status: Type.Enum(words.MEMBER_STATUSES),
})

export const MemberRole = Type.Object({
  group_id: Type.Integer(),
  user_id: Type.Integer(),
  role: Type.Enum(['admin', 'member']),
})

export function toGroupText(group: Group): Static<typeof GroupText> {
  return { ...pickFields(GroupText, group), id: group.group_id }
}

export function toVisibleGroup(group: VisibleGroup): Static<typeof VisibleGroupItem> {
  const { my_status, my_role, owner, pending_count } = group
  return {
    ...toGroupText(group),
    owner: owner && toPerson(owner),
    my: { status: my_status, role: my_status === 'approved' ? my_role : null },
    pending_count: administersGroup({ status: my_status, role: my_role }) ? pending_count : null,
  }
}

export function toMember(row: VisibleMember): Static<typeof GroupMember> {
  return { user: toPerson(row), role: row.role, joined_at: row.decided_at }
}

export function toJoinRequest(row: VisibleMember): Static<typeof JoinRequest> {
  return { user: toPerson(row), requested_at: row.requested_at }
}

export function toStanding(member: Member): Static<typeof Standing> {
  return pickFields(Standing, member)
}

export function toMemberRole({ group_id, user_id, role }: Member): Static<typeof MemberRole> {
  return { group_id, user_id, role: role === 'admin' ? role : 'member' }
}
