import type { Tx } from '../../platform/db/connect.ts'
import { recordAudit, type Actor } from '../../platform/audit/audit.ts'
import { workIn, type Ground } from '../../platform/work/work.ts'
import { archiveAnyGroup } from '../../marketplace/groups/changes.ts'

export type ArchivedGroup = { groupId: number; version: number }

/** 404 for one that is not there or archived already. */
export async function archiveGroup(deps: Ground, tx: Tx, actor: Actor, groupId: number): Promise<ArchivedGroup> {
  const { version, owner_id: subjectId } = await archiveAnyGroup(workIn(deps, tx, actor), groupId)
  const change = { before: { status: 'active' }, after: { status: 'archived' }, subjectId }
  await recordAudit(tx, deps, actor, { action: 'group.archive', entity: 'group', entityId: groupId, change })
  return { groupId, version }
}
