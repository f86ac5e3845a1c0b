import type { Work } from '../../platform/work/work.ts'
import { archiveAnyGroup } from '../../marketplace/groups/changes.ts'

/** 404 for one that is not there or archived already. */
export async function archiveGroup(work: Work, groupId: number): Promise<{ id: number; version: number }> {
  const { version, owner_id: subjectId } = await archiveAnyGroup(work, groupId)
  const change = { before: { status: 'active' }, after: { status: 'archived' }, subjectId }
  await work.audit({ action: 'group.archive', entity: 'group', entityId: groupId, change })
  return { id: groupId, version }
}
