import type { Tx } from '../../platform/db/connect.ts'
import { errors } from '../../platform/shared/errors.ts'
import { refuseFaultyText } from '../../platform/shared/plain-text.ts'
import { isExpected, type Expected } from '../../platform/shared/expected-version.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import { recordStateChanges } from '../history/history.ts'
import { administeredGroup, lockedGroup, moveMember, ownGroup } from './groups.ts'
import { deleteEmptyGroups, insertGroup, passOnGroups, updateGroup, type Group } from './groups.queries.ts'

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
  await deleteEmptyGroups(tx, userIds)
  await passOnGroups(tx, userIds)
}
