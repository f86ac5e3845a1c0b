import type { Db, Tx } from '../../platform/db/connect.ts'
import type { ReportResolution, ReportStatus } from '../../platform/db/marketplace-tables.ts'
import { errors } from '../../platform/shared/errors.ts'
import { sendEachIn, type AutomaticDeps } from '../../push/messages/automatic.ts'
import { recordStateChanges } from '../history/history.ts'
import { listReportsOf, lockUndecided, updateDecided, type NamedReport, type Report } from './reports.queries.ts'

/** Where a report may go from each status (decision D). */
export const REPORT_MOVES: Readonly<Record<ReportStatus, readonly ReportStatus[]>> = {
  open: ['in_review'],
  in_review: ['actioned', 'dismissed'],
  actioned: [],
  dismissed: [],
}

const SHOWN = 50

export type Outcome = {
  to: 'actioned' | 'dismissed'
  /** What was done; null: nothing. */
  resolution: ReportResolution | null
  note: string | null
  actorId: number | null
  at: Date
}

/**
 * Decides reports of one product, which the caller holds locked: the one function that ends a report (decision D). One that
 * nobody has looked into goes through review first, so it leaves two events. Their reporters are told by a push.
 */
export async function decideReports(deps: AutomaticDeps, tx: Tx, reports: Report[], outcome: Outcome): Promise<void> {
  if (reports.length === 0) return
  for (const report of reports) refuseDecided(report)
  await recordReportMoves(
    tx,
    reports.filter((report) => report.status === 'open'),
    'in_review',
    outcome,
  )
  const inReview = reports.map((report) => ({ ...report, status: 'in_review' as const }))
  await recordReportMoves(tx, inReview, outcome.to, outcome)
  const reportIds = reports.map((report) => report.report_id)
  await updateDecided(tx, reportIds, { status: outcome.to, ...outcome })
  await tellReporters(deps, tx, reports, outcome.to)
}

/** Ends every report of a product that is not decided yet, because the product itself was decided on. */
export async function resolveReportsOf(
  deps: AutomaticDeps,
  tx: Tx,
  productId: number,
  outcome: Omit<Outcome, 'to'>,
): Promise<void> {
  await decideReports(deps, tx, await lockUndecided(tx, productId), { ...outcome, to: 'actioned' })
}

/** Leaves an event row for each report that goes to `to`; 409 INVALID_STATE when one cannot. */
export async function recordReportMoves(
  tx: Tx,
  reports: Pick<Report, 'report_id' | 'reporter_id' | 'status'>[],
  to: ReportStatus,
  { actorId, at }: { actorId: number | null; at: Date },
): Promise<void> {
  for (const report of reports) refuseMove(report, to)
  await recordStateChanges(
    tx,
    reports.map((report) => ({
      entity: 'report',
      entity_id: report.report_id,
      user_id: report.reporter_id,
      from_state: report.status,
      to_state: to,
      actor: 'administrator',
      actor_id: actorId,
      note: null,
      at,
    })),
  )
}

function refuseMove({ report_id, status }: Pick<Report, 'report_id' | 'status'>, to: ReportStatus): void {
  if (!REPORT_MOVES[status].includes(to))
    throw errors.invalidState(`Report ${report_id} is ${status} and cannot become ${to}.`)
}

/** 409 INVALID_STATE when a report is decided already. */
export function refuseDecided({ report_id, status }: Pick<Report, 'report_id' | 'status'>): void {
  if (REPORT_MOVES[status].length === 0) throw errors.invalidState(`Report ${report_id} is already ${status}.`)
}

const TOLD = {
  actioned: 'We have acted on a product that you reported. Thank you.',
  dismissed: 'We have looked at a product that you reported and found nothing against our rules.',
}

/** Tells reporters what came of it (spec: system notification). */
async function tellReporters(deps: AutomaticDeps, tx: Tx, reports: Report[], to: Outcome['to']): Promise<void> {
  const userIds = reports.map((report) => report.reporter_id).filter((userId) => userId !== null)
  const data = { event: 'system', product_id: reports[0]!.product_id, report_status: to }
  const content = { title: 'Your report', text: TOLD[to], data }
  await sendEachIn(deps, tx, [{ userIds, content, place: { screen: 'reports' } }])
}

/** The newest reports of a product that are not decided yet, as the API shows them. */
export async function undecidedReportsOf(db: Db | Tx, productId: number) {
  const rows = await listReportsOf(
    db,
    { productId, statuses: ['open', 'in_review'] },
    { perPage: SHOWN, offset: 0, direction: 'desc' },
  )
  return rows.map(toReport)
}

/** A report as the API shows it. */
export function toReport(row: NamedReport) {
  return {
    id: row.report_id,
    product_id: row.product_id,
    reporter: row.reporter_id === null ? null : { user_id: row.reporter_id, username: row.reporter_username ?? '' },
    reason: row.reason,
    details: row.details,
    status: row.status,
    assigned_to: row.assigned_to === null ? null : { user_id: row.assigned_to, name: row.assignee_name ?? '' },
    resolution: row.resolution,
    resolution_note: row.resolution_note,
    resolved_by: row.resolved_by,
    resolved_at: row.resolved_at?.toISOString() ?? null,
    version: row.version,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
