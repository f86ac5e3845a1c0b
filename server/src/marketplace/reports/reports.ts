import { errors, existing } from '../../platform/shared/errors.ts'
import { must } from '../../platform/shared/must.ts'
import type { ReportReason, ReportStatus } from '../../platform/tables/marketplace-tables.ts'
import type { UserReportReason } from '../../platform/tables/people-tables.ts'
import type { Work } from '../../platform/work/work.ts'
import { lockProducts } from '../products/lock.ts'
import { findAccountRole } from '../../identity/accounts/accounts.ts'
import { publish } from '../events/publish.ts'
import { recordStateChanges, type StateChange } from '../history/history.ts'
import {
  findOwnerOfVisible,
  insertReport,
  lockUndecided,
  updateAssignee,
  updateDecided,
  type Outcome,
  type Report,
  type Subject,
} from './reports.queries.ts'

/** Where a report may go from each status (decision D). */
export const REPORT_MOVES: Readonly<Record<ReportStatus, readonly ReportStatus[]>> = {
  open: ['in_review'],
  in_review: ['actioned', 'dismissed'],
  actioned: [],
  dismissed: [],
}

export const ENTITIES = { product: 'report', user: 'user_report' } as const

type NewReport<Reason = string> = { subjectId: number; reason: Reason; details: string | null }

/** However many reports there are, nothing follows before a moderator decides. A block does not protect from them.
 * 404 when others do not see the product, 409 INVALID_STATE for one's own, 409 DUPLICATE while a report of theirs about
 * it is undecided. */
export async function reportProduct(work: Work, given: NewReport<ReportReason>): Promise<Report<'product'>> {
  await lockProducts(work.tx, [given.subjectId])
  const ownerId = existing(await findOwnerOfVisible(work.tx, given.subjectId), 'This product')
  if (ownerId === work.by.userId) throw errors.invalidState('You cannot report your own product.')
  const report = await addReport(work, 'product', given)
  if (report === undefined) throw errors.duplicate('product_id', 'You have already reported this product.')
  return report
}

/** The person is not told (decision E). 404 for a deleted account, 422 for oneself, 409 DUPLICATE while a report of
 * the same reporter is undecided. */
export async function reportUser(work: Work, given: NewReport<UserReportReason>): Promise<Report<'user'>> {
  if (given.subjectId === work.by.userId) throw errors.validation({ id: ['must belong to another person'] })
  if ((await findAccountRole(work.tx, given.subjectId)) === undefined) throw errors.notFound('This user')
  const report = await addReport(work, 'user', given)
  if (report === undefined) throw errors.duplicate('id', 'You have already reported this person.')
  return report
}

async function addReport<About extends Subject>(work: Work, about: About, given: NewReport) {
  const reporterId = must(work.by.userId, 'reporter')
  const at = work.now()
  const report = await insertReport(work.tx, about, { ...given, reporterId, at })
  if (report === undefined) return undefined
  const added = { ...ofReport(about, report), from_state: null, to_state: report.status, actor: 'user' } as const
  await recordStateChanges(work, [added])
  return report
}

/** An open report comes into review. */
export async function assignReportTo<About extends Subject>(
  work: Work,
  about: About,
  { report, assigneeId }: { report: Report<About>; assigneeId: number },
): Promise<void> {
  if (report.status === 'open') await recordStateChanges(work, toStateChanges(about, [report], 'in_review'))
  await updateAssignee(work.tx, about, { reportId: report.report_id, assigneeId, at: work.now() })
}

/** Ends reports of one subject, which the caller holds locked (decision D). An open one goes through review first.
 * Who reported a product is told. */
export async function decideReports<About extends Subject>(
  work: Work,
  { about, reports, ...outcome }: { about: About; reports: Report<About>[] } & Outcome<About>,
): Promise<void> {
  const [first] = reports
  if (first === undefined) return
  for (const report of reports) refuseDecided(report)
  const open = reports.filter((report) => report.status === 'open')
  const inReview = reports.map((report) => ({ ...report, status: 'in_review' as const }))
  const { to: status } = outcome
  const changes = [...toStateChanges(about, open, 'in_review'), ...toStateChanges(about, inReview, status)]
  const reportIds = reports.map((report) => report.report_id)
  await updateDecided(work.tx, about, reportIds, { ...outcome, actorId: work.by.userId, at: work.now() })
  await recordStateChanges(work, changes)
  if (!('product_id' in first)) return
  const reporters = reports.map((report) => report.reporter_id)
  const facts = { productId: first.product_id, status }
  await publish(work, [{ name: 'report.decided', facts, by: null, recipients: reporters }])
}

export async function resolveProductReports(
  work: Work,
  { productId, ...outcome }: { productId: number } & Omit<Outcome<'product'>, 'to'>,
): Promise<void> {
  const reports = await lockUndecided(work.tx, productId)
  await decideReports(work, { about: 'product', reports, ...outcome, to: 'actioned' })
}

function toStateChanges(about: Subject, reports: Report[], to: ReportStatus): StateChange[] {
  return reports.map((report) => {
    if (!REPORT_MOVES[report.status].includes(to))
      throw errors.invalidState(`Report ${report.report_id} is ${report.status} and cannot become ${to}.`)
    return { ...ofReport(about, report), from_state: report.status, to_state: to, actor: 'administrator' }
  })
}

function ofReport(about: Subject, { report_id, reporter_id }: Report) {
  return { entity: ENTITIES[about], entity_id: report_id, user_id: reporter_id }
}

export function refuseDecided({ report_id, status }: Report): void {
  if (REPORT_MOVES[status].length === 0) throw errors.invalidState(`Report ${report_id} is already ${status}.`)
}
