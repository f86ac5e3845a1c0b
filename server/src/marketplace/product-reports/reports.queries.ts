import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { UNDECIDED_REPORT } from '../../platform/shared/words.ts'
import type { MarketplaceTables, ReportReason, ReportStatus } from '../../platform/tables/marketplace-tables.ts'
import { containing } from '../../platform/lists/pattern.ts'
import { must } from '../../platform/shared/must.ts'

export type Report = Selectable<MarketplaceTables['product_reports']>
export type NamedReport = Report & { reporter_username: string | null; assignee_name: string | null }

export async function findReport(db: Db | Tx, reportId: number): Promise<NamedReport | undefined> {
  const { rows } = await named(sql`select * from product_reports where report_id = ${reportId}`).execute(db)
  return rows[0]
}

export type ReportsFilter = {
  productId: number
  statuses?: ReportStatus[] | undefined
  reasons?: ReportReason[] | undefined
  /** Searched in the details and the reporter's username. */
  search?: string | undefined
  /** When it was made: from inclusive, to exclusive. */
  from?: Date | undefined
  to?: Date | undefined
}

export async function listReportsOf(
  db: Db | Tx,
  filter: ReportsFilter,
  page: { perPage: number; offset: number; direction: 'asc' | 'desc' },
): Promise<NamedReport[]> {
  const way = page.direction === 'asc' ? sql`asc` : sql`desc`
  const chosen = sql`${reportsOf(filter)}
    order by r.created_at ${way}, r.report_id ${way} limit ${page.perPage} offset ${page.offset}`
  const { rows } = await named(chosen, way).execute(db)
  return rows
}

export async function countReportsOf(db: Db, filter: ReportsFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${reportsOf(filter)}) r`.execute(db)
  return must(rows[0], 'count of reports').n
}

function reportsOf({ productId, statuses, reasons, search, from, to }: ReportsFilter) {
  const conditions = [
    sql`r.product_id = ${productId}`,
    ...(statuses === undefined ? [] : [sql`r.status = any(${statuses})`]),
    ...(reasons === undefined ? [] : [sql`r.reason = any(${reasons})`]),
    ...(from === undefined ? [] : [sql`r.created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`r.created_at < ${to}`]),
    ...(search === undefined
      ? []
      : [
          sql`(r.details ilike ${containing(search)} or exists (
            select from users u where u.user_id = r.reporter_id and u.username ilike ${containing(search)}))`,
        ]),
  ]
  return sql`select r.* from product_reports r where ${sql.join(conditions, sql` and `)}`
}

function named(chosen: ReturnType<typeof sql>, way = sql`desc`) {
  return sql<NamedReport>`
    select r.*, reporter.username as reporter_username, assignee.name as assignee_name
    from (${chosen}) r
    left join users reporter on reporter.user_id = r.reporter_id
    left join users assignee on assignee.user_id = r.assigned_to
    order by r.created_at ${way}, r.report_id ${way}`
}

export async function lockReport(tx: Tx, reportId: number): Promise<Report | undefined> {
  return tx.selectFrom('product_reports').selectAll().where('report_id', '=', reportId).forUpdate().executeTakeFirst()
}

/** They are in the order of their ids. */
export async function lockUndecided(tx: Tx, productId: number): Promise<Report[]> {
  return tx
    .selectFrom('product_reports')
    .selectAll()
    .where('product_id', '=', productId)
    .where('status', 'in', [...UNDECIDED_REPORT])
    .orderBy('report_id')
    .forUpdate()
    .execute()
}

/** Undefined when the reporter has an undecided one about this product. */
export async function insertReport(
  tx: Tx,
  report: Insertable<MarketplaceTables['product_reports']>,
): Promise<Report | undefined> {
  return tx
    .insertInto('product_reports')
    .values(report)
    .onConflict((conflict) =>
      conflict
        .columns(['product_id', 'reporter_id'])
        .where('status', 'in', [...UNDECIDED_REPORT])
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
}

export async function updateAssignee(tx: Tx, reportId: number, assigneeId: number, at: Date): Promise<void> {
  await sql`update product_reports set status = 'in_review', assigned_to = ${assigneeId}, version = version + 1, updated_at = ${at}
    where report_id = ${reportId}`.execute(tx)
}

/** Reports without an assignee are assigned to the decider. */
export async function updateDecided(
  tx: Tx,
  reportIds: number[],
  {
    status,
    resolution,
    note,
    actorId,
    at,
  }: Pick<Report, 'resolution'> & {
    status: 'actioned' | 'dismissed'
    note: string | null
    actorId: number | null
    at: Date
  },
): Promise<void> {
  await sql`
    update product_reports set status = ${status}, resolution = ${resolution}, resolution_note = ${note}, resolved_by = ${actorId},
      assigned_to = coalesce(assigned_to, ${actorId}), resolved_at = ${at}, version = version + 1, updated_at = ${at}
    where report_id = any(${reportIds})`.execute(tx)
}

/** Undefined unless the account is in use. */
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

/** Empties what these people wrote into reports, and into decisions about them. */
export async function forgetInReports(tx: Tx, userIds: number[]): Promise<void> {
  await sql`
    update product_reports set details = null where reporter_id = any(${userIds}) and details is not null`.execute(tx)
  await sql`update product_reports set resolution_note = null
    where resolved_by = any(${userIds}) and resolution_note is not null`.execute(tx)
}
