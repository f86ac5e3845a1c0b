import type { AdministrationDeps } from '../deps.ts'
import { lockedAccount } from '../../identity/accounts/accounts.ts'
import type { Account } from '../../identity/accounts/auth.queries.ts'
import type { Approval, ListedApproval } from '../../identity/approvals/approvals.queries.ts'
import { approvalOf, pinOf, recordDecision, waitingApproval } from '../../identity/approvals/approvals.ts'
import { refuseOnePerson } from '../../identity/approvals/powers.ts'
import { can, type Permission } from '../../platform/rights/permissions.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { errors } from '../../platform/shared/errors.ts'
import { must } from '../../platform/shared/must.ts'
import { workIn } from '../../platform/work/work.ts'
import { ACTIONS } from './carry-out.ts'

export type Decider = { actor: Actor; from: { sessionId: string; site: string } }

/** Does what is approved in the same transaction, once (ADR 12). `pin`: what the approver saw. 403 without the
 * permission of the action; 409 CONFLICT for one's own, when it has changed, or its author may not do it any more;
 * 409 INVALID_STATE when it is decided. */
export async function approve(
  deps: AdministrationDeps,
  tx: Tx,
  { actor, from }: Decider,
  { approvalId, pin }: { approvalId: number; pin: string },
): Promise<ListedApproval> {
  const approval = await waitingApproval(workIn(deps, tx, actor), { approvalId, decision: 'approved' })
  if (approval === undefined) return approvalOf(tx, approvalId)
  refuseOwn(actor, approval)
  const { permission, about, carryOut } = ACTIONS[approval.kind]
  const { author, decider } = await lockPeople(tx, approval.author_id, idOf(actor))
  if (!mayDo(decider, permission)) throw errors.forbidden({ entity: 'approval', entityId: approvalId })
  if (author === undefined || !mayDo(author, permission))
    throw errors.conflict('The administrator who asked for this no longer has the right to do it.')
  await refuseOnePerson(workIn(deps, tx), [author.user_id, decider.user_id])
  const present = pinOf(approval.kind, await about(deps, tx, approval))
  if (pin !== approval.pin || present !== approval.pin)
    throw errors.conflict('The subject of this request has changed since it was made.')
  const approver = { ...actor, role: decider.role }
  const result = await carryOut(deps, tx, { approval, author, approver, from })
  return recordDecision(workIn(deps, tx, approver), { approval, status: 'approved', reason: null, result })
}

/** The author may withdraw a request in this way. A refusal is safe to repeat. Errors as in `approve`. */
export async function refuse(
  deps: AdministrationDeps,
  tx: Tx,
  { actor }: Decider,
  { approvalId, reason }: { approvalId: number; reason: string | null },
): Promise<ListedApproval> {
  const approval = await waitingApproval(workIn(deps, tx, actor), { approvalId, decision: 'refused' })
  if (approval === undefined) return approvalOf(tx, approvalId)
  const { decider } = await lockPeople(tx, null, idOf(actor))
  if (!mayDo(decider, ACTIONS[approval.kind].permission))
    throw errors.forbidden({ entity: 'approval', entityId: approvalId })
  const decision = { approval, status: 'refused', reason, result: null } as const
  return recordDecision(workIn(deps, tx, actor).as(decider), decision)
}

function refuseOwn({ userId }: Actor, { author_id, subject_id }: Approval): void {
  if (author_id === userId)
    throw errors.conflict('You made this request yourself, so another administrator must approve it.')
  if (subject_id === userId)
    throw errors.conflict('This changes your own account, so another administrator must approve it.')
}

/** Locks both in the order of their ids, so that a right that is lost meanwhile is seen. */
async function lockPeople(
  tx: Tx,
  authorId: number | null,
  deciderId: number,
): Promise<{ author: Account | undefined; decider: Account }> {
  const accounts = new Map<number, Account>()
  const ids = authorId === null ? [deciderId] : [authorId, deciderId]
  for (const id of ids.toSorted((a, b) => a - b)) accounts.set(id, await lockedAccount(tx, id))
  const decider = must(accounts.get(deciderId), 'account of who decides')
  return { author: authorId === null ? undefined : accounts.get(authorId), decider }
}

function mayDo({ role, status, deleted_at }: Account, permission: Permission): boolean {
  return status === 'active' && deleted_at === null && can(role, permission)
}

function idOf({ userId }: Actor): number {
  return must(userId, 'administrator who decides')
}
