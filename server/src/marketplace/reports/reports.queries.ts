import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { wordsIn } from '../../platform/db/inline.ts'
import { between, type RowCondition } from '../../platform/lists/list-rows.ts'
import { UNDECIDED_REPORT } from '../../platform/shared/words.ts'
import { defineList } from '../../platform/lists/define-list.queries.ts'
import { containing } from '../../platform/lists/pattern.ts'
import type { MarketplaceTables, ReportStatus } from '../../platform/tables/marketplace-tables.ts'
import type { PeopleTables } from '../../platform/tables/people-tables.ts'
import type { UserStatus } from '../../platform/tables/tables.ts'
import { isVisible } from '../products/visible.queries.ts'

export type Subject = 'product' | 'user'

type Rows = {
  product: Selectable<MarketplaceTables['product_reports']>
  user: Selectable<PeopleTables['user_reports']>
}
export type Report<About extends Subject = Subject> = Rows[About]

type Names = { reporter_username: string | null; assignee_name: string | null }
/** `undecided_count`: about the same person. */
type Person = { username: string; name: string; user_status: UserStatus; undecided_count: number }
export type NamedReport<About extends Subject = Subject> = {
  product: Rows['product'] & Names
  user: Rows['user'] & Names & Person
}[About]

const UNDECIDED = sql.raw(wordsIn(UNDECIDED_REPORT))
const TABLES = {
  product: { table: sql.table('product_reports'), subject: sql.ref('product_id'), also: sql``, person: sql`` },
  user: {
    table: sql.table('user_reports'),
    subject: sql.ref('user_id'),
    also: sql`, u.username, u.name, u.status as user_status, (select count(*) from user_reports o
      where o.user_id = r.user_id and o.status in ${UNDECIDED}) as undecided_count`,
    person: sql`join users u on u.user_id = r.user_id`,
  },
}

export async function findReport<About extends Subject>(
  db: Db | Tx,
  about: About,
  reportId: number,
): Promise<NamedReport<About> | undefined> {
  const chosen = sql`select * from ${TABLES[about].table} where report_id = ${reportId}`
  return (await named(about, chosen, sql`r.report_id`).execute(db)).rows[0]
}

export type ReportsFilter = {
  subjectId?: number | undefined
  statuses?: ReportStatus[] | undefined
  reasons?: string[] | undefined
  search?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

export const productReports = defineReports('product')
export const userReports = defineReports('user')

function defineReports<About extends Subject>(about: About) {
  const name = `${about}_reports`
  return defineList<ReportsFilter, 'created_at', NamedReport<About>>(
    {
      table: name,
      alias: 'r',
      id: 'report_id',
      orders: { created_at: { keys: [sql`r.created_at`] } },
      toConditions: (filter) => reportConditions(about, filter),
    },
    (chosen, order) =>
      named(about, sql`select * from (${chosen}) chosen join ${sql.table(name)} using (report_id)`, order),
  )
}

type UndecidedReport = NamedReport<'product'> & { status: (typeof UNDECIDED_REPORT)[number] }

/** The newest 50 of a product. */
export async function listUndecidedReports(db: Db | Tx, productId: number): Promise<UndecidedReport[]> {
  const order = sql`r.created_at desc, r.report_id desc`
  const chosen = sql`
    select r.* from product_reports r where r.product_id = ${productId} and r.status in ${UNDECIDED}
    order by ${order} limit 50`
  return (await named('product', chosen, order).execute(db)).rows as UndecidedReport[]
}

export function reportConditions(about: Subject, filter: ReportsFilter): RowCondition[] {
  const { subjectId, statuses, reasons, search, from, to } = filter
  return [
    subjectId !== undefined && sql`r.${TABLES[about].subject} = ${subjectId}`,
    statuses && sql`r.status = any(${statuses})`,
    reasons && sql`r.reason = any(${reasons})`,
    ...between(sql`r.created_at`, from, to),
    search !== undefined &&
      sql`(r.details ilike ${containing(search)} or exists (
        select from users u where u.user_id = r.reporter_id and u.username ilike ${containing(search)}))`,
  ]
}

function named<About extends Subject>(about: About, chosen: RawBuilder<unknown>, order: RawBuilder<unknown>) {
  const { also, person } = TABLES[about]
  return sql<NamedReport<About>>`
    select r.*, reporter.username as reporter_username, assignee.name as assignee_name${also}
    from (${chosen}) r ${person}
    left join users reporter on reporter.user_id = r.reporter_id
    left join users assignee on assignee.user_id = r.assigned_to
    order by ${order}`
}

/** `title`: null once others do not see the product any more. */
export type OwnReport = Pick<
  Report<'product'>,
  'report_id' | 'product_id' | 'reason' | 'details' | 'status' | 'created_at' | 'updated_at'
> & { title: string | null; image: string | null }

/** Lists reports about products, the newest first. */
export async function listReportsBy(
  db: Db,
  { reporterId, after, limit }: { reporterId: number; after: [reportId: number] | undefined; limit: number },
): Promise<OwnReport[]> {
  const { rows } = await sql<OwnReport>`
    select r.report_id, r.product_id, r.reason, r.details, r.status, r.created_at, r.updated_at,
      coalesce(k.title, p.title) as title, coalesce(k.images, p.images) ->> 0 as image
    from (
      select * from product_reports where reporter_id = ${reporterId}
        ${after === undefined ? sql`` : sql`and report_id < ${after[0]}::bigint`}
      order by report_id desc limit ${limit}) r
    left join products p on p.product_id = r.product_id and ${isVisible('p')}
    left join kept_revisions k on k.product_id = p.product_id
    order by r.report_id desc`.execute(db)
  return rows
}

export async function lockReport<About extends Subject>(
  tx: Tx,
  about: About,
  reportId: number,
): Promise<Report<About> | undefined> {
  const { rows } = await sql<Report<About>>`
    select * from ${TABLES[about].table} where report_id = ${reportId} for update`.execute(tx)
  return rows[0]
}

/** They are in the order of their ids. */
export async function lockUndecided(tx: Tx, productId: number): Promise<Report<'product'>[]> {
  return tx
    .selectFrom('product_reports')
    .selectAll()
    .where('product_id', '=', productId)
    .where('status', 'in', [...UNDECIDED_REPORT])
    .orderBy('report_id')
    .forUpdate()
    .execute()
}

/** Undefined when the reporter has an undecided one about the same. */
export async function insertReport<About extends Subject>(
  tx: Tx,
  about: About,
  given: { subjectId: number; reporterId: number; reason: string; details: string | null; at: Date },
): Promise<Report<About> | undefined> {
  const { table, subject } = TABLES[about]
  const { subjectId, reporterId, reason, details, at } = given
  const { rows } = await sql<Report<About>>`
    insert into ${table} (${subject}, reporter_id, reason, details, created_at, updated_at)
    values (${subjectId}, ${reporterId}, ${reason}, ${details}, ${at}, ${at})
    on conflict (${subject}, reporter_id) where status in ${UNDECIDED} do nothing
    returning *`.execute(tx)
  return rows[0]
}

export async function updateAssignee(
  tx: Tx,
  about: Subject,
  { reportId, assigneeId, at }: { reportId: number; assigneeId: number; at: Date },
): Promise<void> {
  await sql`
    update ${TABLES[about].table} set status = 'in_review', assigned_to = ${assigneeId}, version = version + 1,
      updated_at = ${at}
    where report_id = ${reportId}`.execute(tx)
}

export type Outcome<About extends Subject = Subject> = {
  to: 'actioned' | 'dismissed'
  /** Null: nothing was done. */
  resolution: Report<About>['resolution']
  note: string | null
}

/** Reports without an assignee are assigned to the decider. */
export async function updateDecided(
  tx: Tx,
  about: Subject,
  reportIds: number[],
  outcome: Outcome & { actorId: number | null; at: Date },
): Promise<void> {
  const { to, resolution, note, actorId, at } = outcome
  await sql`
    update ${TABLES[about].table} set status = ${to}, resolution = ${resolution}, resolution_note = ${note},
      resolved_by = ${actorId}, assigned_to = coalesce(assigned_to, ${actorId}), resolved_at = ${at},
      version = version + 1, updated_at = ${at}
    where report_id = any(${reportIds})`.execute(tx)
}

export async function findOwnerOfVisible(tx: Tx, productId: number): Promise<number | undefined> {
  const row = await tx
    .selectFrom('products')
    .select('user_id')
    .where('product_id', '=', productId)
    .where(isVisible('products'))
    .executeTakeFirst()
  return row?.user_id
}

/** Empties what these people wrote into reports, and into decisions about them. */
export async function forgetInReports(tx: Tx, userIds: number[]): Promise<void> {
  const these = sql`any(${userIds})`
  for (const { table } of Object.values(TABLES)) {
    await sql`update ${table} set details = null, resolution_note = null where reporter_id = ${these}`.execute(tx)
    await sql`
      update ${table} set resolution_note = null
      where resolved_by = ${these} and resolution_note is not null`.execute(tx)
  }
}
