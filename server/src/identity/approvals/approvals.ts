import type { Config } from '../../platform/config/config.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { digestOf } from '../../platform/audit/chain.ts'
import { errors } from '../../platform/shared/errors.ts'
import { callerId, type Work } from '../../platform/work/work.ts'
import type { ApprovalKind } from '../../platform/tables/office-tables.ts'
import { expireSame, findWaiting, insertApproval, type Approval } from './approvals.queries.ts'

const SETTING: Record<ApprovalKind, string> = { send: 'sends', bulk: 'bulk-changes', role: 'roles' }
const HOUR_MS = 3_600_000

export type Asked = { approval: Approval }

/** If it is true, a second administrator must approve the call (ADR 12). */
export function mustBeApproved({ APPROVALS }: Pick<Config, 'APPROVALS'>, kind: ApprovalKind): boolean {
  return APPROVALS.includes(SETTING[kind])
}

export function approvalExpiry({ config, now }: Work): Date {
  return now(config.APPROVAL_HOURS * HOUR_MS)
}

/** The request about a record that waits. */
export function waitingFor(
  db: Db | Tx,
  record: { kind: ApprovalKind; recordId: number; now: Date },
): Promise<number | null> {
  return findWaiting(db, record)
}

/** What is approved has the same hash, or is not done. */
export function pinOf(kind: ApprovalKind, about: Record<string, unknown>): string {
  return digestOf({ salt: `approval ${kind}`, content: about })
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
): Promise<Asked> {
  const { kind, request, about, recordId = null, subjectId = null } = input
  const { tx } = work
  const now = work.now()
  const same = { kind, record_id: recordId, subject_id: subjectId }
  if (recordId !== null || subjectId !== null) await expireSame(tx, { ...same, now })
  const approval = await insertApproval(tx, {
    ...same,
    request,
    pin: pinOf(kind, about),
    author_id: callerId(work),
    created_at: now,
    expires_at: approvalExpiry(work),
  })
  if (approval === undefined) throw errors.invalidState('This already waits for a second administrator.')
  const change = { before: null, after: { kind, pin: approval.pin }, subjectId }
  await work.audit({ action: 'approval.ask', entity: 'approval', entityId: approval.approval_id, change })
  return { approval }
}
