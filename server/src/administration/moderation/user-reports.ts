import type { Tx } from '../../platform/db/connect.ts'
import type { ListSource } from '../../platform/lists/search.queries.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { existing, must } from '../../platform/shared/must.ts'
import { isExpected, type Expected } from '../../platform/shared/versions.ts'
import { recordAudit, type Actor } from '../../platform/audit/audit.ts'
import { UNDECIDED_REPORT } from '../../platform/shared/words.ts'
import { can } from '../../platform/rights/permissions.ts'
import { refuseDecided } from '../../marketplace/product-reports/outcomes.ts'
import { differenceOf, refuseAssignee } from './reports.ts'
import { recordUserReportMoves } from '../../marketplace/user-reports/user-reports.ts'
import {
  findUserReports,
  listUserReports,
  lockUserReport,
  updateUserReportAssignee,
  updateUserReportDecided,
  type NamedUserReport,
  type UserReport,
} from '../../marketplace/user-reports/user-reports.queries.ts'
import type { AdministrationDeps, Request } from '../accounts/account-changes.ts'
import { updateUser } from '../accounts/administration.ts'

type On = { reportId: number; expected: Expected }

/** Reports about people that nobody has decided. */
export async function undecidedUserReports(source: ListSource): Promise<{ count: number; oldest: Date | undefined }> {
  const filter = {
    userId: undefined,
    statuses: [...UNDECIDED_REPORT],
    reasons: undefined,
    from: undefined,
    to: undefined,
  }
  const page = { perPage: 1, offset: 0, by: 'created_at', direction: 'asc' } as const
  const { ids, total } = await findUserReports(source, filter, page)
  const [oldest] = await listUserReports(source.db, ids)
  return { count: total.total, oldest: oldest?.created_at }
}

/** A second call gives the report to another. 409 INVALID_STATE when it is decided, 412 with the report for another
 * version, 422 when the assignee may not decide reports. */
export async function assignUserReport(
  deps: AdministrationDeps,
  tx: Tx,
  actor: Actor,
  { assigneeId, ...on }: On & { assigneeId: number },
): Promise<NamedUserReport> {
  const report = await lockForChange(tx, on)
  await refuseAssignee(tx, assigneeId, 'user-reports')
  const at = fromNow(deps.clock)
  const by = { actor: 'administrator', actorId: actor.userId, at } as const
  if (report.status === 'open') await recordUserReportMoves(tx, report, [{ from: 'open', to: 'in_review' }], by)
  await updateUserReportAssignee(tx, report.report_id, assigneeId, at)
  return finish(deps, tx, { actor, action: 'user-report.assign', before: report })
}

export type UserReportAction = 'suspend_user' | 'other' | 'dismiss'
const RESOLUTIONS = { suspend_user: 'suspended', other: 'other', dismiss: null } as const

/** `suspend_user` takes the right to users and a role above the account's (403); the note becomes its reason.
 * `other` was done elsewhere. 409 and 412 as `assignUserReport`. */
export async function resolveUserReport(
  deps: AdministrationDeps,
  tx: Tx,
  actor: Actor,
  decision: On & Pick<Request, 'from'> & { action: UserReportAction; note: string | null },
): Promise<NamedUserReport> {
  const { from, action, note } = decision
  const report = await lockForChange(tx, decision)
  if (action === 'suspend_user') await suspend(deps, tx, { actor, from, userId: report.user_id, note })
  const at = fromNow(deps.clock)
  const status = action === 'dismiss' ? 'dismissed' : 'actioned'
  const first = report.status === 'open' ? [{ from: 'open', to: 'in_review' } as const] : []
  const by = { actorId: actor.userId, at }
  const moves = [...first, { from: 'in_review', to: status } as const]
  await recordUserReportMoves(tx, report, moves, { ...by, actor: 'administrator' })
  const resolution = RESOLUTIONS[action]
  await updateUserReportDecided(tx, report.report_id, { status, resolution, note, ...by })
  return finish(deps, tx, { actor, action: 'user-report.resolve', before: report })
}

async function suspend(
  deps: AdministrationDeps,
  tx: Tx,
  { actor, from, userId, note }: Pick<Request, 'actor' | 'from' | 'userId'> & { note: string | null },
): Promise<void> {
  if (actor.role === null || !can(actor.role, 'users')) throw errors.forbidden({ entity: 'user', entityId: userId })
  const fields = { status: 'suspended', ...(note !== null && { status_reason: note }) } as const
  await updateUser(deps, tx, { actor, userId, expected: undefined, from }, { fields })
}

async function lockForChange(tx: Tx, { reportId, expected }: On): Promise<UserReport> {
  const report = existing(await lockUserReport(tx, reportId), 'This report')
  if (!isExpected(expected, report.version)) throw errors.staleVersion(await named(tx, reportId))
  refuseDecided(report)
  return report
}

async function named(tx: Tx, reportId: number): Promise<NamedUserReport> {
  return must((await listUserReports(tx, [reportId]))[0], 'report that is locked')
}

async function finish(
  deps: AdministrationDeps,
  tx: Tx,
  { actor, action, before }: { actor: Actor; action: string; before: UserReport },
): Promise<NamedUserReport> {
  const after = await named(tx, before.report_id)
  const change = { ...differenceOf(before, after), subjectId: before.user_id }
  await recordAudit(tx, deps, actor, { action, entity: 'user_report', entityId: before.report_id, change })
  return after
}
