import type { Db, Tx } from '../../platform/db/connect.ts'
import type { ReportResolution, ReportStatus } from '../../platform/tables/marketplace-tables.ts'
import { UNDECIDED_REPORT } from '../../platform/shared/words.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Ground } from '../../platform/work/work.ts'
import { publish } from '../events/publish.ts'
import { recordStateChanges, type StateChange } from '../history/history.ts'
import { listReportsOf, lockUndecided, updateDecided, type NamedReport, type Report } from './reports.queries.ts'

/** Where a report may go from each status (decision D). */
export const REPORT_MOVES: Readonly<Record<ReportStatus, readonly ReportStatus[]>> = {
  open: ['in_review'],
  in_review: ['actioned', 'dismissed'],
  actioned: [],
  dismissed: [],
}

export const REPORT_STATUSES = ['open', 'in_review', 'actioned', 'dismissed'] as const satisfies ReportStatus[]

const SHOWN = 50

export type Outcome = {
  to: 'actioned' | 'dismissed'
  /** Null: nothing was done. */
  resolution: ReportResolution | null
  note: string | null
  actorId: number | null
  at: Date
}

/** Ends reports of one product, which the caller holds locked (decision D), and tells their reporters. An open one
 * goes through review first. */
export async function decideReports(deps: Ground, tx: Tx, reports: Report[], outcome: Outcome): Promise<void> {
  if (reports.length === 0) return
  for (const report of reports) refuseDecided(report)
  const open = reports.filter((report) => report.status === 'open')
  const inReview = reports.map((report) => ({ ...report, status: 'in_review' as const }))
  const { to: status } = outcome
  const changes = [...movesOf(open, 'in_review', outcome), ...movesOf(inReview, status, outcome)]
  const reportIds = reports.map((report) => report.report_id)
  await updateDecided(tx, reportIds, { status, ...outcome })
  const facts = { productId: reports[0]!.product_id, status }
  const told = reports.map((report) => report.reporter_id)
  await publish(deps, tx, [{ name: 'report.decided', facts, by: null, told, changes }])
}

/** Ends the undecided reports of a product that was itself decided on. */
export async function resolveReportsOf(
  deps: Ground,
  tx: Tx,
  productId: number,
  outcome: Omit<Outcome, 'to'>,
): Promise<void> {
  await decideReports(deps, tx, await lockUndecided(tx, productId), { ...outcome, to: 'actioned' })
}

type MovingReport = Pick<Report, 'report_id' | 'reporter_id' | 'status'>
type By = { actorId: number | null; at: Date }

export async function recordReportMoves(tx: Tx, reports: MovingReport[], to: ReportStatus, by: By): Promise<void> {
  await recordStateChanges(tx, movesOf(reports, to, by))
}

function movesOf(reports: MovingReport[], to: ReportStatus, { actorId, at }: By): StateChange[] {
  const by = { actor: 'administrator', actor_id: actorId, note: null, at } as const
  return reports.map(({ report_id, reporter_id, status }) => {
    if (!REPORT_MOVES[status].includes(to))
      throw errors.invalidState(`Report ${report_id} is ${status} and cannot become ${to}.`)
    const report = { entity: 'report', entity_id: report_id, user_id: reporter_id } as const
    return { ...report, from_state: status, to_state: to, ...by }
  })
}

export function refuseDecided({ report_id, status }: Pick<Report, 'report_id' | 'status'>): void {
  if (REPORT_MOVES[status].length === 0) throw errors.invalidState(`Report ${report_id} is already ${status}.`)
}

export async function undecidedReportsOf(db: Db | Tx, productId: number): Promise<UndecidedReport[]> {
  const filter = { productId, statuses: [...UNDECIDED_REPORT] }
  const reports = await listReportsOf(db, filter, { perPage: SHOWN, offset: 0, direction: 'desc' })
  return reports.filter((report): report is UndecidedReport => isUndecided(report.status))
}

export type UndecidedReport = NamedReport & { status: (typeof UNDECIDED_REPORT)[number] }

function isUndecided(status: ReportStatus): status is UndecidedReport['status'] {
  return UNDECIDED_REPORT.some((undecided) => undecided === status)
}
