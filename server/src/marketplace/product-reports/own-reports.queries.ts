import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import type { Report } from './reports.queries.ts'

/** `title`: null once others do not see the product any more. */
export type OwnReport = Omit<Report, 'reporter_id' | 'assigned_to' | 'version' | keyof Resolved> & {
  title: string | null
  image: string | null
}
type Resolved = Pick<Report, 'resolution' | 'resolution_note' | 'resolved_by' | 'resolved_at'>

export type ReportsBy = { reporterId: number; after: [reportId: number] | undefined; limit: number }

/** Newest first, `limit` + 1 when there are more. */
export async function listReportsBy(db: Db, { reporterId, after, limit }: ReportsBy): Promise<OwnReport[]> {
  const { rows } = await sql<OwnReport>`
    select r.report_id, r.product_id, r.reason, r.details, r.status, r.created_at, r.updated_at,
      coalesce(k.title, p.title) as title, coalesce(k.images, p.images) ->> 0 as image
    from (
      select * from product_reports where reporter_id = ${reporterId}
        ${after === undefined ? sql`` : sql`and report_id < ${after[0]}::bigint`}
      order by report_id desc limit ${limit + 1}) r
    left join products p on p.product_id = r.product_id and p.deleted_at is null and p.hidden_at is null
      and p.status not in ('draft', 'removed') and p.verification <> 'rejected' and p.rejected_at is null
    left join kept_revisions k on k.product_id = p.product_id
    order by r.report_id desc`.execute(db)
  return rows
}
