import type { IdentityDeps } from '../deps.ts'
import { recordAudit, type Actor, type AuditDeps } from '../../platform/audit/audit.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { existing, must } from '../../platform/shared/must.ts'
import type { ApprovalStatus } from '../../platform/tables/office-tables.ts'
import {
  countApprovals,
  countNamed,
  findApproval,
  countWaiting,
  listApprovals,
  listNamed,
  lockApproval,
  updateDecision,
  type Approval,
  type ListedApproval,
  type Named,
} from './approvals.queries.ts'

export async function approvalsPage(
  { db, clock }: Pick<IdentityDeps, 'db' | 'clock'>,
  status: ApprovalStatus | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ListedApproval[]; total: number }> {
  const now = fromNow(clock)
  const total = await countApprovals(db, status, now)
  return { rows: await listApprovals(db, { status, now, limit, offset }), total }
}

/** Whom a send names; nobody for any other request. */
export async function namedPage(
  { db }: Pick<IdentityDeps, 'db'>,
  approvalId: number,
  page: { limit: number; offset: number },
): Promise<{ rows: Named[]; total: number }> {
  const total = existing(await countNamed(db, approvalId), 'This approval')
  return { rows: await listNamed(db, approvalId, page), total }
}

export async function waitingApprovals(db: Db, now: Date): Promise<{ count: number; oldest: Date | undefined }> {
  const { n, oldest } = await countWaiting(db, now)
  return { count: n, oldest: oldest ?? undefined }
}

/** Undefined when the same administrator has decided the same before. */
export async function waitingApproval(
  { clock }: Pick<IdentityDeps, 'clock'>,
  tx: Tx,
  { userId }: Actor,
  approvalId: number,
  wanted: 'approved' | 'refused',
): Promise<Approval | undefined> {
  const approval = existing(await lockApproval(tx, approvalId), 'This approval')
  const { status, decided_by: decidedBy, expires_at: expiresAt } = approval
  if (status === wanted && decidedBy === userId) return undefined
  if (status === 'approved' || status === 'refused') throw errors.invalidState(`This was already ${status}.`)
  if (status === 'expired' || expiresAt <= fromNow(clock))
    throw errors.invalidState('This request has expired. Make a new one.')
  return approval
}

export async function recordDecision(
  deps: AuditDeps,
  tx: Tx,
  actor: Actor,
  { approval_id: approvalId, kind, author_id, subject_id }: Approval,
  decision: { status: 'approved' | 'refused'; reason: string | null; result: Record<string, unknown> | null },
): Promise<ListedApproval> {
  await updateDecision(tx, approvalId, {
    ...decision,
    decided_by: must(actor.userId, 'administrator who decides'),
    decided_at: fromNow(deps.clock),
  })
  const after = { kind, asked_by: author_id, reason: decision.reason, ...decision.result }
  const action = decision.status === 'approved' ? 'approval.approve' : 'approval.refuse'
  const change = { before: null, after, subjectId: subject_id }
  await recordAudit(tx, deps, actor, { action, entity: 'approval', entityId: approvalId, change })
  return approvalOf(tx, approvalId)
}

export async function approvalOf(tx: Tx, approvalId: number): Promise<ListedApproval> {
  return must(await findApproval(tx, approvalId), 'approval that was just read')
}
