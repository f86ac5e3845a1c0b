import type { Db, Tx } from '../../platform/db/connect.ts'
import { errors } from '../../platform/shared/errors.ts'
import { existing, must } from '../../platform/shared/must.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import {
  countApprovals,
  countNamed,
  findApproval,
  listApprovals,
  listNamed,
  lockApproval,
  updateDecision,
  type Approval,
  type Decision,
  type Filter,
  type ListedApproval,
  type Named,
  type Page,
} from './approvals.queries.ts'

export async function approvalsPage(db: Db, page: Filter & Page): Promise<{ rows: ListedApproval[]; total: number }> {
  const { n: total } = await countApprovals(db, page)
  return { rows: await listApprovals(db, page), total }
}

/** The people whom a send names; nobody for any other request. */
export async function namedPage(
  db: Db,
  page: { approvalId: number } & Page,
): Promise<{ rows: Named[]; total: number }> {
  const total = existing(await countNamed(db, page.approvalId), 'This approval')
  return { rows: await listNamed(db, page), total }
}

export async function waitingApprovals(db: Db, now: Date): Promise<{ count: number; oldest: Date | undefined }> {
  const { n, oldest } = await countApprovals(db, { status: 'waiting', now })
  return { count: n, oldest: oldest ?? undefined }
}

/** Undefined when the same administrator has decided the same before. */
export async function waitingApproval(
  { tx, by, now }: Work,
  { approvalId, decision }: { approvalId: number; decision: Decision['status'] },
): Promise<Approval | undefined> {
  const approval = existing(await lockApproval(tx, approvalId), 'This approval')
  const { status, decided_by: decidedBy, expires_at: expiresAt } = approval
  if (status === decision && decidedBy === by.userId) return undefined
  if (status === 'approved' || status === 'refused') throw errors.invalidState(`This was already ${status}.`)
  if (status === 'expired' || expiresAt <= now()) throw errors.invalidState('This request has expired. Make a new one.')
  return approval
}

export async function recordDecision(
  work: Work,
  { approval, ...decision }: Decision & { approval: Approval },
): Promise<ListedApproval> {
  const { approval_id, kind, author_id, subject_id: subjectId } = approval
  await updateDecision(work.tx, { ...decision, approval_id, decided_by: callerId(work), decided_at: work.now() })
  const after = { kind, asked_by: author_id, reason: decision.reason, ...decision.result }
  const action = decision.status === 'approved' ? 'approval.approve' : 'approval.refuse'
  const change = { before: null, after, subjectId }
  await work.audit({ action, entity: 'approval', entityId: approval_id, change })
  return approvalOf(work.tx, approval_id)
}

export async function approvalOf(tx: Tx, approvalId: number): Promise<ListedApproval> {
  return must(await findApproval(tx, approvalId), 'approval that was just read')
}
