import type { MarketplaceDeps } from '../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { refuseFaultyText } from '../../platform/shared/plain-text.ts'
import { isExpected, type Expected } from '../../platform/shared/versions.ts'
import { recordStateChanges } from '../history/history.ts'
import { administeredGroup, lockedGroup, move } from './groups.ts'
import { deleteEmptyGroups, insertGroup, passOnGroups, updateGroup, type Group } from './groups.queries.ts'

export type GroupText = Pick<Group, 'name' | 'description' | 'visibility' | 'join_policy'>

type NewGroup = Partial<Pick<Group, 'description' | 'visibility'>> & {
  ownerId: number
  name: string
  joinPolicy: Group['join_policy']
}

export async function createGroup(
  { clock }: Pick<MarketplaceDeps, 'clock'>,
  tx: Tx,
  { ownerId, joinPolicy, ...about }: NewGroup,
): Promise<Group> {
  refuseFaultyText({ name: about.name }, 'line')
  const now = fromNow(clock)
  const times = { created_at: now, updated_at: now }
  const group = await insertGroup(tx, { owner_id: ownerId, join_policy: joinPolicy, ...about, ...times })
  await move(tx, group, undefined, { userId: ownerId, role: 'owner', to: 'approved', byId: ownerId, now })
  return group
}

/** 403 for members who do not administer the group, 404 for those who cannot see it, 412 with the group for another
 * version. */
export async function editGroup(
  { clock }: Pick<MarketplaceDeps, 'clock'>,
  tx: Tx,
  edit: { groupId: number; byId: number; expected: Expected; change: Partial<GroupText> },
): Promise<Group> {
  const { groupId, byId, expected, change } = edit
  const group = await administeredGroup(tx, groupId, byId)
  if (!isExpected(expected, group.version)) throw errors.staleVersion(group)
  return updateGroup(tx, groupId, { ...change, updated_at: fromNow(clock) })
}

/** Archives a group for good: its members still see it, and nothing happens in it any more. 403 unless its owner. */
export async function archiveOwnGroup(
  deps: Pick<MarketplaceDeps, 'clock'>,
  tx: Tx,
  { groupId, byId }: { groupId: number; byId: number },
): Promise<Group> {
  const group = await administeredGroup(tx, groupId, byId)
  if (group.owner_id !== byId) throw errors.forbidden()
  return archive(deps, tx, group, { actor: 'user', actorId: byId })
}

/** 404 for a group that is not there or archived. */
export async function archiveAnyGroup(
  deps: Pick<MarketplaceDeps, 'clock'>,
  tx: Tx,
  { groupId, actorId }: { groupId: number; actorId: number | null },
): Promise<Group> {
  return archive(deps, tx, await lockedGroup(tx, groupId), { actor: 'administrator', actorId })
}

async function archive(
  { clock }: Pick<MarketplaceDeps, 'clock'>,
  tx: Tx,
  { group_id, owner_id }: Group,
  { actor, actorId }: { actor: 'user' | 'administrator'; actorId: number | null },
): Promise<Group> {
  const at = fromNow(clock)
  const change = { entity: 'group', entity_id: group_id, user_id: owner_id, note: null, at } as const
  await recordStateChanges(tx, [{ ...change, from_state: 'active', to_state: 'archived', actor, actor_id: actorId }])
  return updateGroup(tx, group_id, { status: 'archived', updated_at: at })
}

/** Deletes the groups in which nobody else is left, and gives the others another owner. */
export async function forgetInGroups(tx: Tx, userIds: number[]): Promise<void> {
  await deleteEmptyGroups(tx, userIds)
  await passOnGroups(tx, userIds)
}
