import type { Config } from '../../platform/config/config.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { hashDetails } from '../../platform/audit/chain.ts'
import type { PageBounds, PageRows } from '../../platform/lists/pagination.ts'
import { errors, existing } from '../../platform/shared/errors.ts'
import { must } from '../../platform/shared/must.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import type { ApprovalKind } from '../../platform/tables/office-tables.ts'
import {
  countApprovals,
  countNamed,
  expireSame,
  findApproval,
  findWaiting,
  insertApproval,
  listApprovals,
  listNamed,
  lockApproval,
  updateDecision,
  type Approval,
  type Decision,
  type Filter,
  type ListedApproval,
  type Named,
} from './approvals.queries.ts'

const SETTING: Record<ApprovalKind, string> = { send: 'sends', bulk: 'bulk-changes', role: 'roles' }
const HOUR_MS = 3_600_000

export type Pending = { approval: Approval }

/** If it is true, a second administrator must approve the call (ADR 12). */
export function mustBeApproved({ APPROVALS }: Pick<Config, 'APPROVALS'>, kind: ApprovalKind): boolean {
  return APPROVALS.includes(SETTING[kind])
}

export function approvalExpiry({ config, now }: Work): Date {
  return now(config.APPROVAL_HOURS * HOUR_MS)
}

export function waitingFor(
  db: Db | Tx,
  record: { kind: ApprovalKind; recordId: number; now: Date },
): Promise<number | null> {
  return findWaiting(db, record)
}

/** A request is carried out only if its subject still has the same hash. */
export function toPin(kind: ApprovalKind, about: Record<string, unknown>): string {
  return hashDetails({ salt: `approval ${kind}`, content: about })
}

/** `about` is all that the pin covers, the request included. 409 INVALID_STATE when the same waits already. */
export async function askForApproval(
  work: Work,
  input: {
    kind: ApprovalKind
    request: Record<string, unknown>
    about: Record<string, unknown>
    recordId?: number
    subjectId?: number
  },
): Promise<Pending> {
  const { kind, request, about, recordId = null, subjectId = null } = input
  const { tx } = work
  const now = work.now()
  const same = { kind, record_id: recordId, subject_id: subjectId }
  if (recordId !== null || subjectId !== null) await expireSame(tx, { ...same, now })
  const approval = await insertApproval(tx, {
    ...same,
    request,
    pin: toPin(kind, about),
    author_id: callerId(work),
    created_at: now,
    expires_at: approvalExpiry(work),
  })
  if (approval === undefined) throw errors.invalidState('This already waits for a second administrator.')
  const change = { after: { kind, pin: approval.pin }, subjectId }
  await work.audit({ action: 'approval.ask', entity: 'approval', entityId: approval.approval_id, change })
  return { approval }
}

export async function approvalsPage(db: Db, page: Filter & PageBounds): Promise<PageRows<ListedApproval>> {
  const { n: total } = await countApprovals(db, page)
  return { rows: await listApprovals(db, page), total }
}

/** The people whom a send names; nobody for any other request. */
export async function namedPage(db: Db, page: { approvalId: number } & PageBounds): Promise<PageRows<Named>> {
  const total = existing(await countNamed(db, page.approvalId), 'This approval')
  return { rows: await listNamed(db, page), total }
}

export async function waitingApprovals(db: Db, now: Date) {
  const { n, oldest, newest } = await countApprovals(db, { status: 'waiting', now })
  return { count: n, oldest: oldest ?? undefined, newest: newest ?? undefined }
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
  // A purge deletes details of their subject alone.
  const reason = subjectId === null ? null : decision.reason
  const after = { kind, asked_by: author_id, reason, ...decision.result }
  const action = decision.status === 'approved' ? 'approval.approve' : 'approval.refuse'
  await work.audit({ action, entity: 'approval', entityId: approval_id, change: { after, subjectId } })
  return requireApproval(work.tx, approval_id)
}

export async function requireApproval(tx: Tx, approvalId: number): Promise<ListedApproval> {
  return must(await findApproval(tx, approvalId), 'approval that was just read')
}
