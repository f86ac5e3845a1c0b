import type { Db, Tx } from '../../platform/db/connect.ts'
import { fromNow, type Clock } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { existing } from '../../platform/shared/must.ts'
import type { ReportReason, ReportStatus } from '../../platform/tables/marketplace-tables.ts'
import { UNDECIDED_REPORT } from '../../platform/shared/words.ts'
import type { UserReportReason } from '../../platform/tables/people-tables.ts'
import { THE_SERVICE } from '../../platform/audit/audit.ts'
import { workIn, type Ground } from '../../platform/work/work.ts'
import { findAccountRole } from '../../identity/accounts/accounts.ts'
import { publish } from '../events/publish.ts'
import { recordStateChanges, type StateChange } from '../history/history.ts'
import {
  findOwnerOfVisible,
  insertReport,
  listReportsOf,
  lockUndecided,
  updateDecided,
  type NamedReport,
  type NewReport,
  type Outcome,
  type Report,
  type Subject,
} from './reports.queries.ts'

export const REPORT_REASONS = [
  'prohibited_item',
  'scam',
  'misleading',
  'offensive',
  'counterfeit',
  'duplicate',
  'unsafe',
  'other',
] as const satisfies ReportReason[]

export const USER_REPORT_REASONS = [
  'scam',
  'no_show',
  'harassment',
  'hate',
  'impersonation',
  'spam',
  'underage',
  'other',
] as const satisfies UserReportReason[]

/** Where a report may go from each status (decision D). */
export const REPORT_MOVES: Readonly<Record<ReportStatus, readonly ReportStatus[]>> = {
  open: ['in_review'],
  in_review: ['actioned', 'dismissed'],
  actioned: [],
  dismissed: [],
}

export const REPORT_STATUSES = ['open', 'in_review', 'actioned', 'dismissed'] as const satisfies ReportStatus[]

/** What the history and the audit log name. */
export const ENTITIES = { product: 'report', user: 'user_report' } as const

type Given<Reason> = { reporterId: number; reason: Reason; details: string | null }
type WithClock = { clock: Clock }

/** A block does not protect from reports. 404 when others do not see the product, 409 INVALID_STATE for one's own,
 * 409 DUPLICATE while a report of theirs about it is undecided. */
export async function reportProduct(
  { clock }: WithClock,
  tx: Tx,
  { productId, ...given }: Given<ReportReason> & { productId: number },
): Promise<Report<'product'>> {
  const ownerId = existing(await findOwnerOfVisible(tx, productId), 'This product')
  if (ownerId === given.reporterId) throw errors.invalidState('You cannot report your own product.')
  const report = await bring(tx, 'product', { ...given, subjectId: productId, at: fromNow(clock) })
  if (report === undefined) throw errors.duplicate('product_id', 'You have already reported this product.')
  return report
}

/** The person is not told (decision E). 404 for a deleted account, 422 for oneself, 409 DUPLICATE while a report of
 * the same reporter is undecided. */
export async function reportUser(
  { clock }: WithClock,
  tx: Tx,
  { userId, ...given }: Given<UserReportReason> & { userId: number },
): Promise<Report<'user'>> {
  if (userId === given.reporterId) throw errors.validation({ id: ['must belong to another person'] })
  if ((await findAccountRole(tx, userId)) === undefined) throw errors.notFound('This user')
  const report = await bring(tx, 'user', { ...given, subjectId: userId, at: fromNow(clock) })
  if (report === undefined) throw errors.duplicate('id', 'You have already reported this person.')
  return report
}

async function bring<About extends Subject>(tx: Tx, about: About, given: NewReport) {
  const report = await insertReport(tx, about, given)
  if (report === undefined) return undefined
  const by = { actor: 'user', actor_id: given.reporterId } as const
  await recordStateChanges(asOf(tx, given.at), [
    { ...ofReport(about, report), from_state: null, to_state: report.status, ...by },
  ])
  return report
}

type By = { actorId: number | null; at: Date }

/** An open report comes into review. */
export async function recordReview(tx: Tx, about: Subject, report: Report, by: By): Promise<void> {
  if (report.status === 'open') await recordStateChanges(asOf(tx, by.at), movesOf(about, [report], 'in_review', by))
}

/** Ends reports of one subject, which the caller holds locked (decision D). An open one goes through review first.
 * Who reported a product is told. */
export async function decideReports<About extends Subject>(
  deps: Ground,
  tx: Tx,
  { about, reports, ...outcome }: { about: About; reports: Report<About>[] } & Outcome<About>,
): Promise<void> {
  if (reports.length === 0) return
  for (const report of reports) refuseDecided(report)
  const open = reports.filter((report) => report.status === 'open')
  const inReview = reports.map((report) => ({ ...report, status: 'in_review' as const }))
  const { to: status } = outcome
  const changes = [...movesOf(about, open, 'in_review', outcome), ...movesOf(about, inReview, status, outcome)]
  const reportIds = reports.map((report) => report.report_id)
  await updateDecided(tx, about, reportIds, outcome)
  await recordStateChanges(asOf(tx, outcome.at), changes)
  if (about === 'user') return
  const { product_id: productId } = reports[0] as Report<'product'>
  const told = reports.map((report) => report.reporter_id)
  await publish(workIn(deps, tx), [{ name: 'report.decided', facts: { productId, status }, by: null, told }])
}

/** Ends the undecided reports of a product that was itself decided on. */
export async function resolveReportsOf(
  deps: Ground,
  tx: Tx,
  productId: number,
  outcome: Omit<Outcome<'product'>, 'to'>,
): Promise<void> {
  const reports = await lockUndecided(tx, productId)
  await decideReports(deps, tx, { about: 'product', reports, ...outcome, to: 'actioned' })
}

function movesOf(about: Subject, reports: Report[], to: ReportStatus, { actorId }: By): StateChange[] {
  const by = { actor: 'administrator', actor_id: actorId } as const
  return reports.map((report) => {
    if (!REPORT_MOVES[report.status].includes(to))
      throw errors.invalidState(`Report ${report.report_id} is ${report.status} and cannot become ${to}.`)
    return { ...ofReport(about, report), from_state: report.status, to_state: to, ...by }
  })
}

function asOf(tx: Tx, at: Date) {
  return { tx, by: THE_SERVICE, now: () => at }
}

function ofReport(about: Subject, { report_id, reporter_id }: Report) {
  return { entity: ENTITIES[about], entity_id: report_id, user_id: reporter_id }
}

export function refuseDecided({ report_id, status }: Report): void {
  if (REPORT_MOVES[status].length === 0) throw errors.invalidState(`Report ${report_id} is already ${status}.`)
}

const SHOWN = 50

export type UndecidedReport = NamedReport<'product'> & { status: (typeof UNDECIDED_REPORT)[number] }

export async function undecidedReportsOf(db: Db | Tx, productId: number): Promise<UndecidedReport[]> {
  const filter = { subjectId: productId, statuses: [...UNDECIDED_REPORT] }
  const reports = await listReportsOf(db, filter, { perPage: SHOWN, offset: 0, direction: 'desc' })
  return reports as UndecidedReport[]
}
