import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { wordsIn } from '../../platform/db/inline.ts'
import { UNDECIDED_REPORT } from '../../platform/shared/words.ts'
import type { Found, List, ListPage } from '../../platform/lists/list-rows.ts'
import { findPage, type ListSource } from '../../platform/lists/search.queries.ts'
import type { ReportStatus } from '../../platform/tables/marketplace-tables.ts'
import type { PeopleTables, UserReportReason, UserReportResolution } from '../../platform/tables/people-tables.ts'
import type { UserStatus } from '../../platform/tables/tables.ts'

export type UserReport = Selectable<PeopleTables['user_reports']>

/** `undecided_count`: about the same person. */
export type NamedUserReport = UserReport & {
  username: string
  name: string
  user_status: UserStatus
  reporter_username: string | null
  assignee_name: string | null
  undecided_count: number
}

export type UserReportsFilter = {
  userId: number | undefined
  statuses: ReportStatus[] | undefined
  reasons: UserReportReason[] | undefined
  from: Date | undefined
  to: Date | undefined
}

const REPORTS: List<UserReportsFilter, 'created_at'> = {
  table: 'user_reports',
  alias: 'r',
  id: 'report_id',
  orders: { created_at: { keys: [sql`r.created_at`] } },
  conditionsOf: ({ userId, statuses, reasons, from, to }) => [
    ...(userId === undefined ? [] : [sql<boolean>`r.user_id = ${userId}`]),
    ...(statuses === undefined ? [] : [sql<boolean>`r.status = any(${statuses})`]),
    ...(reasons === undefined ? [] : [sql<boolean>`r.reason = any(${reasons})`]),
    ...(from === undefined ? [] : [sql<boolean>`r.created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql<boolean>`r.created_at < ${to}`]),
  ],
}

export function findUserReports(
  source: ListSource,
  filter: UserReportsFilter,
  page: ListPage<'created_at'>,
): Promise<Found> {
  return findPage(source, REPORTS, { filter, page })
}

/** They are in the order of the ids. */
export async function listUserReports(db: Db | Tx, reportIds: number[]): Promise<NamedUserReport[]> {
  const { rows } = await sql<NamedUserReport>`
    select r.*, u.username, u.name, u.status as user_status, reporter.username as reporter_username,
      assignee.name as assignee_name,
      (select count(*) from user_reports o where o.user_id = r.user_id and o.status in ${sql.raw(wordsIn(UNDECIDED_REPORT))}) as undecided_count
    from unnest(${reportIds}::bigint[]) with ordinality chosen(report_id, place)
    join user_reports r on r.report_id = chosen.report_id
    join users u on u.user_id = r.user_id
    left join users reporter on reporter.user_id = r.reporter_id
    left join users assignee on assignee.user_id = r.assigned_to
    order by chosen.place`.execute(db)
  return rows
}

/** Undefined when the reporter has an undecided one about this person. */
export async function insertUserReport(
  tx: Tx,
  report: Insertable<PeopleTables['user_reports']>,
): Promise<UserReport | undefined> {
  return tx
    .insertInto('user_reports')
    .values(report)
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'reporter_id'])
        .where('status', 'in', [...UNDECIDED_REPORT])
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
}

export async function lockUserReport(tx: Tx, reportId: number): Promise<UserReport | undefined> {
  return tx.selectFrom('user_reports').selectAll().where('report_id', '=', reportId).forUpdate().executeTakeFirst()
}

export async function updateUserReportAssignee(tx: Tx, reportId: number, assigneeId: number, at: Date): Promise<void> {
  await sql`update user_reports set status = 'in_review', assigned_to = ${assigneeId}, version = version + 1, updated_at = ${at}
    where report_id = ${reportId}`.execute(tx)
}

/** A report without an assignee is assigned to the decider. */
export async function updateUserReportDecided(
  tx: Tx,
  reportId: number,
  decision: {
    status: 'actioned' | 'dismissed'
    resolution: UserReportResolution | null
    note: string | null
    actorId: number | null
    at: Date
  },
): Promise<void> {
  const { status, resolution, note, actorId, at } = decision
  await sql`
    update user_reports set status = ${status}, resolution = ${resolution}, resolution_note = ${note}, resolved_by = ${actorId},
      assigned_to = coalesce(assigned_to, ${actorId}), resolved_at = ${at}, version = version + 1, updated_at = ${at}
    where report_id = ${reportId}`.execute(tx)
}

/** Empties what these people wrote into reports about others, and into decisions about them. */
export async function forgetInUserReports(tx: Tx, userIds: number[]): Promise<void> {
  await sql`
    update user_reports set details = null where reporter_id = any(${userIds}) and details is not null`.execute(tx)
  await sql`update user_reports set resolution_note = null
    where resolved_by = any(${userIds}) and resolution_note is not null`.execute(tx)
}
