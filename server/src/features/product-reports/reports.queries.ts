import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'
import type { MarketplaceTables, ReportResolution, ReportStatus } from '../../db/marketplace-tables.ts'

export type Report = Selectable<MarketplaceTables['product_reports']>
export type NamedReport = Report & { reporter_username: string | null; assignee_name: string | null }

/** A report as it is now, with the names of its people. */
export async function findReport(db: Db | Tx, reportId: number): Promise<NamedReport | undefined> {
  const { rows } = await named(sql`select * from product_reports where report_id = ${reportId}`).execute(db)
  return rows[0]
}

/** A page of the reports of a product, newest first; `statuses` empty: all. */
export async function listReportsOf(
  db: Db | Tx,
  productId: number,
  statuses: ReportStatus[],
  page: { perPage: number; offset: number },
): Promise<NamedReport[]> {
  const { rows } = await named(sql`${reportsOf(productId, statuses)}
    order by report_id desc limit ${page.perPage} offset ${page.offset}`).execute(db)
  return rows
}

/** How many reports of a product there are. */
export async function countReportsOf(db: Db, productId: number, statuses: ReportStatus[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${reportsOf(productId, statuses)}) r`.execute(db)
  return rows[0]?.n ?? 0
}

function reportsOf(productId: number, statuses: ReportStatus[]) {
  const status = statuses.length === 0 ? sql`true` : sql`status = any(${statuses})`
  return sql`select * from product_reports where product_id = ${productId} and ${status}`
}

function named(chosen: ReturnType<typeof sql>) {
  return sql<NamedReport>`
    select r.*, reporter.username as reporter_username, assignee.name as assignee_name
    from (${chosen}) r
    left join users reporter on reporter.user_id = r.reporter_id
    left join users assignee on assignee.user_id = r.assigned_to
    order by r.report_id desc`
}

/** A report, locked until the transaction ends. */
export async function lockReport(tx: Tx, reportId: number): Promise<Report | undefined> {
  return tx.selectFrom('product_reports').selectAll().where('report_id', '=', reportId).forUpdate().executeTakeFirst()
}

/** The reports of a product that are not decided yet, locked in the order of their ids. */
export async function lockUndecided(tx: Tx, productId: number): Promise<Report[]> {
  return tx
    .selectFrom('product_reports')
    .selectAll()
    .where('product_id', '=', productId)
    .where('status', 'in', ['open', 'in_review'])
    .orderBy('report_id')
    .forUpdate()
    .execute()
}

/** Stores a report; undefined when the reporter has one of this product that is not decided yet. */
export async function insertReport(
  tx: Tx,
  report: Insertable<MarketplaceTables['product_reports']>,
): Promise<Report | undefined> {
  return tx
    .insertInto('product_reports')
    .values(report)
    .onConflict((conflict) =>
      conflict.columns(['product_id', 'reporter_id']).where('status', 'in', ['open', 'in_review']).doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Gives a report, which its caller holds locked, to somebody who looks into it. */
export async function updateAssignee(tx: Tx, reportId: number, assigneeId: number, at: Date): Promise<void> {
  await sql`update product_reports set status = 'in_review', assigned_to = ${assigneeId}, version = version + 1, updated_at = ${at}
    where report_id = ${reportId}`.execute(tx)
}

/** Decides reports that their caller holds locked; those of nobody become the decider's. */
export async function updateDecided(
  tx: Tx,
  reportIds: number[],
  decision: {
    status: 'actioned' | 'dismissed'
    resolution: ReportResolution | null
    note: string | null
    actorId: number | null
    at: Date
  },
): Promise<void> {
  const { status, resolution, note, actorId, at } = decision
  await sql`
    update product_reports set status = ${status}, resolution = ${resolution}, resolution_note = ${note}, resolved_by = ${actorId},
      assigned_to = coalesce(assigned_to, ${actorId}), resolved_at = ${at}, version = version + 1, updated_at = ${at}
    where report_id = any(${reportIds})`.execute(tx)
}

/** The role of an account that is in use; undefined when there is none of this id. */
export async function findRole(tx: Tx, userId: number) {
  const row = await tx
    .selectFrom('users')
    .select('role')
    .where('user_id', '=', userId)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.role
}

/** The owner of a product that is there for others; undefined when it is not. */
export async function findOwnerOfVisible(tx: Tx, productId: number): Promise<number | undefined> {
  const row = await tx
    .selectFrom('products')
    .select('user_id')
    .where('product_id', '=', productId)
    .where('deleted_at', 'is', null)
    .where('hidden_at', 'is', null)
    .where('status', 'not in', ['draft', 'removed'])
    .executeTakeFirst()
  return row?.user_id
}
