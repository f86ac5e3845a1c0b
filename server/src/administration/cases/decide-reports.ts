import type { Sessions } from '../../identity/sessions/sessions.ts'
import type { Tx } from '../../platform/db/connect.ts'
import type { ListSource } from '../../platform/lists/search.queries.ts'
import { can } from '../../platform/rights/permissions.ts'
import { errors, isExpected, type Expected, existing } from '../../platform/shared/errors.ts'
import { must } from '../../platform/shared/must.ts'
import { UNDECIDED_REPORT } from '../../platform/shared/words.ts'
import type { Work } from '../../platform/work/work.ts'
import { findActiveAccount } from '../../identity/accounts/accounts.ts'
import { publish } from '../../marketplace/events/publish.ts'
import { assignReportTo, decideReports, ENTITIES, refuseDecided } from '../../marketplace/reports/reports.ts'
import {
  findOwnerOfVisible,
  findReport,
  lockReport,
  lockUndecided,
  type NamedReport,
  type Report,
  type Subject,
  userReports,
} from '../../marketplace/reports/reports.queries.ts'
import { suspendUser } from '../accounts/change-user.ts'
import { releaseProduct, removeFreed } from '../products/products.ts'
import { refuseHeldByOther } from './desk.ts'
import { reportedProducts } from './reported-products.queries.ts'

type Undecided = { count: number; oldest: Date | undefined }

export async function undecidedProducts(source: ListSource): Promise<Undecided> {
  const page = { perPage: 1, offset: 0, by: 'first_reported_at', direction: 'asc' } as const
  const { rows, total } = await reportedProducts.page(source, { filter: { statuses: [...UNDECIDED_REPORT] }, page })
  return { count: total.total, oldest: rows[0]?.first_reported_at }
}

export async function undecidedUserReports(source: ListSource): Promise<Undecided> {
  const page = { perPage: 1, offset: 0, by: 'created_at', direction: 'asc' } as const
  const { rows, total } = await userReports.page(source, { filter: { statuses: [...UNDECIDED_REPORT] }, page })
  return { count: total.total, oldest: rows[0]?.created_at }
}

type On = { recordId: number; expected: Expected }
type Noted = { note: string | null }
/** Rules of other rooms get these, which live as long as the process. */
type Served = { sessions: Sessions }

/** A second call gives the report to another. 409 INVALID_STATE when it is decided, 412 with the report for another
 * version, 422 when the assignee may not decide reports. */
export async function assignReport<About extends Subject>(
  work: Work,
  about: About,
  { assigneeId, ...on }: On & { assigneeId: number },
): Promise<NamedReport<About>> {
  const report = await lockForChange(work.tx, about, on)
  const assignee = await findActiveAccount(work.tx, assigneeId)
  if (assignee === undefined || !can(assignee.role, `${about}-reports`))
    throw errors.validation({ assignee_id: ['must be an administrator who may decide reports'] })
  await assignReportTo(work, about, { report, assigneeId })
  return finish(work, about, 'assign', report)
}

const OUTCOMES = {
  remove_product: { to: 'actioned', resolution: 'removed' },
  warn_owner: { to: 'actioned', resolution: 'warned' },
  suspend_user: { to: 'actioned', resolution: 'suspended' },
  other: { to: 'actioned', resolution: 'other' },
  dismiss: { to: 'dismissed', resolution: null },
} as const

/** Decides one report. `other` was done elsewhere. 409 INVALID_STATE when it is decided, 412 with the report for
 * another version; else as `decideProduct`. */
export async function decideProductReport(
  work: Work,
  { verdict, note, ...on }: On & Noted & { verdict: ProductDecision['verdict'] },
): Promise<NamedReport<'product'>> {
  const read = await namedReport(work.tx, 'product', on.recordId)
  // Clients know both orders: a dismissal answers 412 before 409, other verdicts 409 before 412.
  if (verdict !== 'dismiss') refuseDecided(read)
  else if (!isExpected(on.expected, read.version)) throw errors.staleVersion(read)
  const [report] = await decideProduct(work, { productId: read.product_id, on, verdict, note })
  return finish(work, 'product', verdict === 'dismiss' ? 'dismiss' : 'resolve', must(report, 'report that is locked'))
}

type AllDecided = Noted & { recordId: number; verdict: 'remove_product' | 'warn_owner' | 'dismiss'; message?: string }

/** Decides all undecided reports of a product. 409 INVALID_STATE when none is undecided; 422 on a message when they
 * are dismissed; else as `decideProduct`. */
export async function decideReportedProduct(
  work: Work,
  { recordId: productId, ...decision }: AllDecided,
): Promise<{ productId: number; decided: number }> {
  const { verdict, message } = decision
  if (message !== undefined && verdict === 'dismiss')
    throw errors.validation({
      message: ['is not allowed with dismiss, because the owner is not informed about dismissed reports'],
    })
  const { length: decided } = await decideProduct(work, { productId, ...decision })
  const change = { after: { decision: verdict, reports: decided } }
  await work.audit({ action: 'reported-product.decide', entity: 'product', entityId: productId, change })
  return { productId, decided }
}

type ProductDecision = Noted & {
  productId: number
  verdict: Exclude<keyof typeof OUTCOMES, 'suspend_user'>
  /** What the owner is told; absent: the usual words. */
  message?: string
  /** Absent: all undecided reports. */
  on?: On
}

/** The reporters are told. A removal ends all reports of the product. 409 CONFLICT while another moderator looks at
 * it, INVALID_STATE when it is gone. */
async function decideProduct(work: Work, decision: ProductDecision): Promise<Report<'product'>[]> {
  const { productId, verdict, note, message, on } = decision
  const { tx } = work
  await refuseHeldByOther(work, { desk: 'reports', productId })
  // Products are locked before reports: so nobody waits in a circle.
  const free = { productId, reason: 'product_removed' }
  const product = verdict === 'remove_product' ? await releaseProduct(work, free) : undefined
  const reports = on === undefined ? await lockUndecided(tx, productId) : [await lockForChange(tx, 'product', on)]
  if (reports.length === 0) throw errors.invalidState(`Product ${productId} has no undecided reports.`)
  const words = message === undefined ? {} : { message }
  if (product) await removeFreed(work, product, { note, ...words })
  else await decideReports(work, { about: 'product', reports, note, ...OUTCOMES[verdict] })
  if (verdict === 'warn_owner') await warnOwner(work, { productId, ...words })
  return reports
}

/** 409 INVALID_STATE when the product is gone. */
async function warnOwner(work: Work, facts: { productId: number; message?: string }): Promise<void> {
  const ownerId = await findOwnerOfVisible(work.tx, facts.productId)
  if (ownerId === undefined) throw errors.invalidState(`Product ${facts.productId} is not on the market any more.`)
  await publish(work, [{ name: 'product.warned', facts, by: null, recipients: [ownerId] }])
}

type UserDecision = On & Noted & { verdict: 'suspend_user' | 'other' | 'dismiss' }

/** The note becomes the reason of a suspension; `other` was done elsewhere. 403 as `suspendUser`, 409 and 412 as
 * `assignReport`. */
export async function decideUserReport(
  work: Work,
  { verdict, note, sessions, ...on }: UserDecision & Served,
): Promise<NamedReport<'user'>> {
  const report = await lockForChange(work.tx, 'user', on)
  if (verdict === 'suspend_user') await suspendUser(work, { sessions, userId: report.user_id, reason: note })
  await decideReports(work, { about: 'user', reports: [report], note, ...OUTCOMES[verdict] })
  return finish(work, 'user', 'resolve', report)
}

async function lockForChange<About extends Subject>(
  tx: Tx,
  about: About,
  { recordId, expected }: On,
): Promise<Report<About>> {
  const report = existing(await lockReport(tx, about, recordId), 'This report')
  if (!isExpected(expected, report.version)) throw errors.staleVersion(await namedReport(tx, about, recordId))
  refuseDecided(report)
  return report
}

async function namedReport<About extends Subject>(tx: Tx, about: About, reportId: number) {
  return existing(await findReport(tx, about, reportId), 'This report')
}

const AUDITED = ['status', 'assigned_to', 'resolution', 'resolution_note'] as const

async function finish<About extends Subject>(
  work: Work,
  about: About,
  move: 'assign' | 'resolve' | 'dismiss',
  before: Report<About>,
): Promise<NamedReport<About>> {
  const entity = ENTITIES[about]
  const after = await namedReport(work.tx, about, before.report_id)
  const changed = AUDITED.filter((field) => before[field] !== after[field])
  const pick = (report: Report) => Object.fromEntries(changed.map((field) => [field, report[field]]))
  const subjectId = 'user_id' in before ? before.user_id : before.reporter_id
  const change = { before: pick(before), after: pick(after), subjectId }
  await work.audit({ action: `${entity.replace('_', '-')}.${move}`, entity, entityId: before.report_id, change })
  return after
}
