import type { Db, Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { UNDECIDED_REPORT } from '../../platform/shared/words.ts'
import { errors } from '../../platform/shared/errors.ts'
import { existing } from '../../platform/shared/must.ts'
import { isExpected, type Expected } from '../../platform/shared/versions.ts'
import { recordAudit, type Actor } from '../../platform/audit/audit.ts'
import { can, type Permission } from '../../platform/rights/permissions.ts'
import type { Ground } from '../../platform/work/work.ts'
import { publish } from '../../marketplace/events/publish.ts'
import { refuseHeldByOther } from '../desk/desk.ts'
import type { ListSource } from '../../platform/lists/search.queries.ts'
import { listReportedProducts } from './reported-products.queries.ts'
import { releaseProduct, removeFreed } from '../products/removal.ts'
import type { UserReport } from '../../marketplace/user-reports/user-reports.queries.ts'
import { decideReports, recordReportMoves, refuseDecided } from '../../marketplace/product-reports/outcomes.ts'
import {
  countReportsOf,
  findOwnerOfVisible,
  findReport,
  findRole,
  listReportsOf,
  lockReport,
  updateAssignee,
  type NamedReport,
  type Report,
  type ReportsFilter,
} from '../../marketplace/product-reports/reports.queries.ts'

type ReportDeps = Ground
type On = { reportId: number; expected: Expected }

export async function listProductReports(
  db: Db,
  filter: ReportsFilter,
  page: { perPage: number; offset: number; direction: 'asc' | 'desc' },
) {
  const [rows, total] = await Promise.all([listReportsOf(db, filter, page), countReportsOf(db, filter)])
  return { rows, total }
}

/** What the desk of reported products has to decide. */
export async function undecidedProducts(source: ListSource): Promise<{ count: number; oldest: Date | undefined }> {
  const page = { perPage: 1, offset: 0, by: 'first_reported_at', direction: 'asc' } as const
  const { rows, total } = await listReportedProducts(source, { statuses: [...UNDECIDED_REPORT] }, page)
  return { count: total.total, oldest: rows[0]?.first_reported_at }
}

/** A second call gives the report to another. 409 INVALID_STATE when it is decided, 412 with the report for another
 * version, 422 when the assignee may not decide reports. */
export async function assignReport(
  deps: ReportDeps,
  tx: Tx,
  actor: Actor,
  { reportId, expected, assigneeId }: On & { assigneeId: number },
): Promise<NamedReport> {
  const report = await lockForChange(tx, { reportId, expected })
  refuseDecided(report)
  await refuseAssignee(tx, assigneeId, 'product-reports')
  const at = fromNow(deps.clock)
  if (report.status === 'open') await recordReportMoves(tx, [report], 'in_review', { actorId: actor.userId, at })
  await updateAssignee(tx, reportId, assigneeId, at)
  return finish(deps, tx, { actor, action: 'report.assign', before: report })
}

/** 422 when the assignee has no right to decide reports. */
export async function refuseAssignee(tx: Tx, assigneeId: number, permission: Permission): Promise<void> {
  const role = await findRole(tx, assigneeId)
  if (role === undefined || !can(role, permission))
    throw errors.validation({ assignee_id: ['must be an administrator who may decide reports'] })
}

export type ReportAction = 'remove_product' | 'warn_owner' | 'other'
const RESOLUTIONS = { remove_product: 'removed', warn_owner: 'warned', other: 'other' } as const

/** `remove_product` also ends all other reports, `warn_owner` sends a push, `other` was done elsewhere. 409
 * INVALID_STATE when it is decided or the product gone, 412 with the report for another version. */
export async function resolveReport(
  deps: ReportDeps,
  tx: Tx,
  actor: Actor,
  { action, note, ...on }: On & { action: ReportAction; note: string | null },
): Promise<NamedReport> {
  const actorId = actor.userId
  const at = fromNow(deps.clock)
  const seen = await namedReport(tx, on.reportId)
  refuseDecided(seen)
  const productId = seen.product_id
  await refuseHeldByOther(deps, tx, { desk: 'reports', productId }, actor)
  const free = { productId, expected: undefined, actorId, reason: 'product_removed' }
  const product = action === 'remove_product' ? await releaseProduct(deps, tx, free) : undefined
  const report = await lockForChange(tx, on)
  refuseDecided(report)
  if (product) await removeFreed(deps, tx, product, { note, actorId, at })
  else await decideReports(deps, tx, [report], { to: 'actioned', resolution: RESOLUTIONS[action], note, actorId, at })
  if (action === 'warn_owner') await warnOwner(deps, tx, productId)
  return finish(deps, tx, { actor, action: 'report.resolve', before: report })
}

/** Errors as `resolveReport`. */
export async function dismissReport(
  deps: ReportDeps,
  tx: Tx,
  actor: Actor,
  { note, ...on }: On & { note: string | null },
): Promise<NamedReport> {
  const report = await lockForChange(tx, on)
  await refuseHeldByOther(deps, tx, { desk: 'reports', productId: report.product_id }, actor)
  const at = fromNow(deps.clock)
  await decideReports(deps, tx, [report], { to: 'dismissed', resolution: null, note, actorId: actor.userId, at })
  return finish(deps, tx, { actor, action: 'report.dismiss', before: report })
}

async function lockForChange(tx: Tx, { reportId, expected }: On): Promise<Report> {
  const report = existing(await lockReport(tx, reportId), 'This report')
  if (!isExpected(expected, report.version)) throw errors.staleVersion(await namedReport(tx, reportId))
  return report
}

async function namedReport(tx: Tx, reportId: number): Promise<NamedReport> {
  return existing(await findReport(tx, reportId), 'This report')
}

/** 409 INVALID_STATE when the product is gone. */
export async function warnOwner(deps: ReportDeps, tx: Tx, productId: number, message?: string): Promise<void> {
  const ownerId = await findOwnerOfVisible(tx, productId)
  if (ownerId === undefined) throw errors.invalidState(`Product ${productId} is not on the market any more.`)
  const facts = { productId, ...(message !== undefined && { message }) }
  await publish(deps, tx, [{ name: 'product.warned', facts, by: null, told: [ownerId] }])
}

async function finish(
  deps: ReportDeps,
  tx: Tx,
  { actor, action, before }: { actor: Actor; action: string; before: Report },
): Promise<NamedReport> {
  const after = await namedReport(tx, before.report_id)
  const change = { ...differenceOf(before, after), subjectId: before.reporter_id }
  await recordAudit(tx, deps, actor, { action, entity: 'report', entityId: before.report_id, change })
  return after
}

const AUDITED = ['status', 'assigned_to', 'resolution', 'resolution_note'] as const
type Audited = Pick<Report | UserReport, (typeof AUDITED)[number]>

/** What changed of a report about a product or a person, for the audit log. */
export function differenceOf(before: Audited, after: Audited) {
  const changed = AUDITED.filter((field) => before[field] !== after[field])
  const pick = (report: Audited) => Object.fromEntries(changed.map((field) => [field, report[field]]))
  return { before: pick(before), after: pick(after) }
}
