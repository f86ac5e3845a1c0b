import type { AdministrationDeps } from '../deps.ts'
import { lockedAccount } from '../../identity/accounts/accounts.ts'
import type { Account } from '../../identity/accounts/auth.queries.ts'
import type { Approval } from '../../identity/approvals/approvals.queries.ts'
import { notePower } from '../../identity/approvals/powers.ts'
import type { Permission } from '../../platform/rights/permissions.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/connect.ts'
import type { ApprovalKind } from '../../platform/tables/office-tables.ts'
import { sendApproved } from '../../push/messages/approved-send.ts'
import { readAskedSend } from '../../push/messages/asked-send.schema.ts'
import { workIn } from '../../platform/work/work.ts'
import { aboutChange, type AskedChange } from '../accounts/account-changes.ts'
import { updateUser } from '../accounts/administration.ts'
import { aboutBulk, type AskedBulk } from '../accounts/bulk.ts'
import { startBulk } from '../accounts/bulk.ts'
import { restoreUser } from '../accounts/deletion.ts'
import { refuseChange } from '../accounts/rights.ts'

type Approving = {
  approval: Approval
  author: Account
  approver: Actor
  from: { sessionId: string; site: string }
}

type Action = {
  /** What both the author and the approver must hold. */
  permission: Permission
  /** Everything that the pin covers, in its present state. */
  about(deps: AdministrationDeps, tx: Tx, approval: Approval): Promise<Record<string, unknown>>
  /** Carries out the request exactly; returns the result. */
  carryOut(deps: AdministrationDeps, tx: Tx, approving: Approving): Promise<Record<string, unknown>>
}

export const ACTIONS: Record<ApprovalKind, Action> = {
  send: {
    permission: 'campaigns',
    about: async (_deps, _tx, { request }) => request,
    carryOut: async (deps, tx, { approval, author, approver }) => {
      const asked = readAskedSend(approval.request)
      const { messageIds } = await sendApproved(workIn(deps, tx, approver), asked, author.user_id)
      return { notification_id: messageIds[0], notification_ids: messageIds }
    },
  },
  bulk: {
    permission: 'users',
    about: (deps, tx, { request }) => aboutBulk(deps, tx, (request as AskedBulk).bulkId),
    carryOut: async (deps, tx, { approval, author }) => {
      // It continues with the rights of its author, which are checked again while it runs.
      const actor = { userId: author.user_id, role: author.role, ip: null, userAgent: null, requestId: null }
      const { bulk } = await startBulk(deps, tx, actor, (approval.request as AskedBulk).bulkId)
      return { bulk_id: bulk.bulk_id }
    },
  },
  role: {
    permission: 'users',
    about: (_deps, tx, { request }) => aboutChange(tx, request as AskedChange),
    carryOut: async (deps, tx, { approval, author, approver, from }) => {
      const { userId, fields, secret } = approval.request as AskedChange
      const request = { actor: approver, userId, expected: undefined, from, askedBy: author.user_id }
      const by = { userId: author.user_id, role: author.role }
      const account = await lockedAccount(tx, userId)
      refuseChange(by, account, fields ?? { status: account.status })
      if (fields === undefined) await restoreUser(deps, tx, request)
      else await updateUser(deps, tx, request, { fields, newPassword: secret && { secret } })
      await notePower(workIn(deps, tx), { actorId: author.user_id, subjectId: userId })
      return { user_id: userId }
    },
  },
}
