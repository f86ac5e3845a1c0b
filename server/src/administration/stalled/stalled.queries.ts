import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'

/** Work in the background that is not over. `progress_at` null: it was not begun. `since`: when it came further. */
export type OpenWork = { kind: 'export' | 'bulk'; id: number; attempts: number; progress_at: Date | null; since: Date }

export async function listOpenWork(db: Db): Promise<OpenWork[]> {
  const { rows } = await sql<OpenWork>`
    select 'export' as kind, export_id as id, attempts,
      case when status = 'running' then progress_at end as progress_at,
      coalesce(progress_at, started_at, requested_at) as since
    from exports where status in ('queued', 'running')
    union all
    select 'bulk', bulk_id, attempts, progress_at, coalesce(progress_at, started_at, created_at)
    from bulk_changes where status = 'running'
    order by since limit 1000`.execute(db)
  return rows
}
