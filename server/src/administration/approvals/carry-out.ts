import { lockedAccount } from '../../identity/accounts/accounts.ts'
import type { Account } from '../../identity/accounts/auth.queries.ts'
import type { Approval } from '../../identity/approvals/approvals.queries.ts'
import { notePower } from '../../identity/approvals/powers.ts'
import type { Permission } from '../../platform/rights/permissions.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import type { ApprovalKind } from '../../platform/tables/office-tables.ts'
import { sendApproved } from '../../push/messages/approved-send.ts'
import { readAskedSend } from '../../push/messages/asked-send.schema.ts'
import type { Work } from '../../platform/work/work.ts'
import { aboutChange, type AskedChange, type Services } from '../accounts/account-changes.ts'
import { updateUser } from '../accounts/administration.ts'
import { aboutBulk, startBulk, type AskedBulk } from '../accounts/bulk.ts'
import { restoreUser } from '../accounts/deletion.ts'
import { refuseChange } from '../accounts/rights.ts'

type Action = {
  /** What both the author and the approver must hold. */
  permission: Permission
  /** Everything that the pin covers, in its present state. */
  about(work: Work, approval: Approval): Promise<Record<string, unknown>>
  /** Carries out the request exactly, in the name of who approves it; returns the result. */
  carryOut(work: Work, approving: { approval: Approval; author: Account; services: Services }): Promise<object>
}

export const ACTIONS: Record<ApprovalKind, Action> = {
  send: {
    permission: 'campaigns',
    about: async (_work, { request }) => request,
    carryOut: async (work, { approval, author }) => {
      const { messageIds } = await sendApproved(work, readAskedSend(approval.request), author.user_id)
      return { notification_id: messageIds[0], notification_ids: messageIds }
    },
  },
  bulk: {
    permission: 'users',
    about: (work, { request }) => aboutBulk(work, (request as AskedBulk).bulkId),
    carryOut: async (work, { approval, author }) => {
      // It continues with the rights of its author, which are checked again while it runs.
      const byAuthor = work.as({ ...THE_SERVICE, userId: author.user_id, role: author.role })
      const { bulk } = await startBulk(byAuthor, (approval.request as AskedBulk).bulkId)
      return { bulk_id: bulk.bulk_id }
    },
  },
  role: {
    permission: 'users',
    about: ({ tx }, { request }) => aboutChange(tx, request as AskedChange),
    carryOut: async (work, { approval, author, services }) => {
      const { userId, fields, secret } = approval.request as AskedChange
      const account = await lockedAccount(work.tx, userId)
      refuseChange({ userId: author.user_id, role: author.role }, account, fields ?? { status: account.status })
      const target = { services, userId, isApproved: true }
      if (fields === undefined) await restoreUser(work, target)
      else await updateUser(work, { ...target, fields, newPassword: secret && { secret } })
      await notePower(work.ground, work.tx, { actorId: author.user_id, subjectId: userId })
      return { user_id: userId }
    },
  },
}
