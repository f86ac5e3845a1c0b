import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import type { BreakerState } from '../../platform/db/tables.ts'

/** What there is to do, and from when on. Times are milliseconds since the epoch. */
export type OpenWork = {
  breaker: BreakerState
  retry_at: Date | null
  busy_until: Date
  /** When the first batch of a lane is due; null: none waits, or the breaker is not closed. */
  transactional_due: Date | null
  campaign_due: Date | null
  /** The queues with jobs that wait, and when the first of each may start. */
  jobs: Record<string, number>
}

/**
 * Everything that a worker may have to do, in one statement: an idle worker asks nothing else. It reads one row for each
 * running message, and none of the batches while the breaker keeps them back.
 */
export async function findOpenWork(db: Db, queues: string[]): Promise<OpenWork> {
  const { rows } = await sql<OpenWork>`
    select p.breaker, p.retry_at, p.busy_until, due.*,
      coalesce((select json_object_agg(name, at) from (
        select name, extract(epoch from min(start_after)) * 1000 as at from pgboss.job
        where name = any(${queues}) and state < 'active' group by name) waiting), '{}') as jobs
    from provider_state p
    left join lateral (
      select min(at) filter (where lane = 'transactional') as transactional_due,
        min(at) filter (where lane = 'campaign') as campaign_due
      from (
        select m.lane, (
          select b.due_at from batches b where b.message_id = m.message_id and b.status in ('queued', 'waiting')
          order by b.due_at limit 1) as at
        from messages m where m.status in ('queued', 'sending') and p.breaker = 'closed') running) due on true`.execute(
    db,
  )
  const [work] = rows
  if (work === undefined) throw new Error('The row of provider_state is missing.')
  return work
}
