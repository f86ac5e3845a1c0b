import { lockedAccount } from '../../identity/accounts/accounts.ts'
import type { Account } from '../../identity/accounts/accounts.queries.ts'
import type { Sessions } from '../../identity/sessions/sessions.ts'
import type { Approval, ListedApproval } from '../../identity/approvals/approvals.queries.ts'
import { requireApproval, toPin, recordDecision, waitingApproval } from '../../identity/approvals/approvals.ts'
import { refuseOnePerson, notePower } from '../../identity/approvals/powers.ts'
import { can, type Permission } from '../../platform/rights/permissions.ts'
import { type Actor, THE_SERVICE } from '../../platform/audit/audit.ts'
import { errors } from '../../platform/shared/errors.ts'
import { must } from '../../platform/shared/must.ts'
import type { Work } from '../../platform/work/work.ts'
import { aboutChange, type RequestedChange } from '../accounts/account-changes.ts'
import type { ApprovalKind } from '../../platform/tables/office-tables.ts'
import { sendApproved } from '../../push/messages/staff-send.ts'
import { readRequestedSend } from '../../push/messages/stored-send.schema.ts'
import { updateUser } from '../accounts/change-user.ts'
import { aboutBulk, startBulk, type RequestedBulk } from '../accounts/bulk.ts'
import { restoreUser } from '../accounts/deletion.ts'
import { refuseChange } from '../accounts/rights.ts'

/** Does what is approved in the same transaction, once (ADR 12). `pin`: what the approver saw. 403 without the
 * permission of the action; 409 CONFLICT for one's own, when it has changed, or its author may not do it any more;
 * 409 INVALID_STATE when it is decided. */
export async function approve(
  work: Work,
  { sessions, approvalId, pin }: { sessions: Sessions; approvalId: number; pin: string },
): Promise<ListedApproval> {
  const { tx } = work
  const approval = await waitingApproval(work, { approvalId, decision: 'approved' })
  if (approval === undefined) return requireApproval(tx, approvalId)
  refuseOwn(work.by, approval)
  const { permission, about, carryOut } = ACTIONS[approval.kind]
  const { author, decider } = await lockPeople(work, approval.author_id)
  if (!mayDo(decider, permission)) throw errors.forbidden({ entity: 'approval', entityId: approvalId })
  if (author === undefined || !mayDo(author, permission))
    throw errors.conflict('The administrator who asked for this no longer has the right to do it.')
  await refuseOnePerson(work, [author.user_id, decider.user_id])
  const present = toPin(approval.kind, await about(work, approval))
  if (pin !== approval.pin || present !== approval.pin)
    throw errors.conflict('The subject of this request has changed since it was made.')
  const byDecider = work.as({ role: decider.role })
  const result = { ...(await carryOut(byDecider, { approval, author, sessions })) }
  return recordDecision(byDecider, { approval, status: 'approved', reason: null, result })
}

/** The author may withdraw a request in this way. A refusal is safe to repeat. Errors as in `approve`. */
export async function refuse(
  work: Work,
  { approvalId, reason }: { approvalId: number; reason: string | null },
): Promise<ListedApproval> {
  const approval = await waitingApproval(work, { approvalId, decision: 'refused' })
  if (approval === undefined) return requireApproval(work.tx, approvalId)
  const { decider } = await lockPeople(work, null)
  if (!mayDo(decider, ACTIONS[approval.kind].permission))
    throw errors.forbidden({ entity: 'approval', entityId: approvalId })
  const decision = { approval, status: 'refused', reason, result: null } as const
  return recordDecision(work.as({ role: decider.role }), decision)
}

function refuseOwn({ userId }: Actor, { author_id, subject_id }: Approval): void {
  if (author_id === userId)
    throw errors.conflict('You made this request yourself, so another administrator must approve it.')
  if (subject_id === userId)
    throw errors.conflict('This changes your own account, so another administrator must approve it.')
}

/** Locks both in the order of their ids, so that a right that is lost meanwhile is seen. */
async function lockPeople(
  { tx, by }: Work,
  authorId: number | null,
): Promise<{ author: Account | undefined; decider: Account }> {
  const deciderId = must(by.userId, 'administrator who decides')
  const accounts = new Map<number, Account>()
  const ids = authorId === null ? [deciderId] : [authorId, deciderId]
  for (const id of ids.toSorted((a, b) => a - b)) accounts.set(id, await lockedAccount(tx, id))
  const decider = must(accounts.get(deciderId), 'account of who decides')
  return { author: authorId === null ? undefined : accounts.get(authorId), decider }
}

function mayDo({ role, status, deleted_at }: Account, permission: Permission): boolean {
  return status === 'active' && deleted_at === null && can(role, permission)
}

type Action = {
  permission: Permission
  about(work: Work, approval: Approval): Promise<Record<string, unknown>>
  /** Carries out the request exactly, in the name of who approves it; returns the result. */
  carryOut(work: Work, approving: { approval: Approval; author: Account; sessions: Sessions }): Promise<object>
}

const ACTIONS: Record<ApprovalKind, Action> = {
  send: {
    permission: 'campaigns',
    about: async (_work, { request }) => request,
    carryOut: async (work, { approval, author }) => {
      const { messageIds } = await sendApproved(work, readRequestedSend(approval.request), author.user_id)
      return { notification_id: messageIds[0], notification_ids: messageIds }
    },
  },
  bulk: {
    permission: 'users',
    about: (work, { request }) => aboutBulk(work, (request as RequestedBulk).bulkId),
    carryOut: async (work, { approval, author }) => {
      // It continues with the rights of its author, which are checked again while it runs.
      const byAuthor = work.as({ ...THE_SERVICE, userId: author.user_id, role: author.role })
      const { bulk } = await startBulk(byAuthor, (approval.request as RequestedBulk).bulkId)
      return { bulk_id: bulk.bulk_id }
    },
  },
  role: {
    permission: 'users',
    about: ({ tx }, { request }) => aboutChange(tx, request as RequestedChange),
    carryOut: async (work, { approval, author, sessions }) => {
      const { userId, fields, secret } = approval.request as RequestedChange
      const account = await lockedAccount(work.tx, userId)
      refuseChange({ userId: author.user_id, role: author.role }, account, fields ?? { status: account.status })
      const target = { sessions, userId, isApproved: true }
      if (fields === undefined) await restoreUser(work, target)
      else await updateUser(work, { ...target, fields, newPassword: secret && { secret } })
      await notePower(work, { actorId: author.user_id, subjectId: userId })
      return { user_id: userId }
    },
  },
}
