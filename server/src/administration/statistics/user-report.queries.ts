import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { joinWithAnd, between } from '../../platform/lists/list-rows.ts'
import type { Report } from '../../marketplace/reports/reports.queries.ts'

/** A deleted user is found until the purge. */
export function findReportedUser(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['user_id', 'username', 'email', 'name', 'role', 'status', 'last_active_at', 'created_at', 'deleted_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export type UserTotals = {
  products: number
  verified_products: number
  requests_sent: number
  requests_received: number
  completed: number
  reports_filed: number
  reports_against: number
  groups: number
}

/** What the user did and what happened to the user in a range, each by its creation. */
export async function sumUpUser(
  db: Db,
  userId: number,
  range: { from: Date | undefined; to: Date | undefined },
): Promise<UserTotals> {
  const made = (column: RawBuilder<unknown>) => joinWithAnd(between(column, range.from, range.to))
  const { rows } = await sql<UserTotals>`
    select p.*, sent.n as requests_sent, received.n as requests_received,
      sent.completed + received.completed as completed,
      (select count(*) from product_reports r where r.reporter_id = ${userId} and ${made(sql`r.created_at`)})
        as reports_filed,
      (select count(*) from products mine join product_reports r on r.product_id = mine.product_id
        where mine.user_id = ${userId} and ${made(sql`r.created_at`)}) as reports_against,
      (select count(*) from group_members m
        where m.user_id = ${userId} and m.status = 'approved' and ${made(sql`m.requested_at`)}) as groups
    from
      (select count(*) as products, count(*) filter (where verification = 'verified') as verified_products
        from products where user_id = ${userId} and deleted_at is null and ${made(sql`created_at`)}) p,
      (select count(*) as n, count(*) filter (where status = 'completed') as completed
        from swaps where requester_id = ${userId} and ${made(sql`created_at`)}) sent,
      (select count(*) as n, count(*) filter (where status = 'completed') as completed
        from swaps where owner_id = ${userId} and ${made(sql`created_at`)}) received`.execute(db)
  return rows[0]!
}

/** The given days (`YYYY-MM-DD`, UTC) on which the user was active. */
export async function listActiveDays(db: Db, userId: number, days: string[]): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select to_char(day, 'YYYY-MM-DD') as day from user_activity_day
    where user_id = ${userId} and day = any(${days}::date[]) order by day`.execute(db)
  return rows.map((row) => row.day)
}

export type UserReportRow = Pick<Report<'product'>, 'report_id' | 'product_id' | 'reason' | 'status' | 'created_at'> & {
  direction: 'filed' | 'against'
}

export async function listReportsAround(db: Db, userId: number, limit: number): Promise<UserReportRow[]> {
  const columns = sql`r.report_id, r.product_id, r.reason, r.status, r.created_at`
  const { rows } = await sql<UserReportRow>`
    select * from (
      (select ${columns}, 'filed' as direction from product_reports r
        where r.reporter_id = ${userId} order by r.report_id desc limit ${limit})
      union all
      (select ${columns}, 'against' from products p join product_reports r on r.product_id = p.product_id
        where p.user_id = ${userId} order by r.report_id desc limit ${limit})) around
    order by report_id desc limit ${limit}`.execute(db)
  return rows
}
