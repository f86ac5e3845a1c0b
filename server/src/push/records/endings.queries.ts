import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { SKIP_REASONS } from '../../platform/shared/words.ts'

/** What the log says of a campaign that is over. `seconds`: since it began. */
export type Ending = { message_id: number; seconds: number } & Record<
  'selected' | 'skipped' | 'notified' | 'notifications' | 'sent' | 'delivered' | 'failed' | 'possible_duplicates',
  number
>

const SKIPPED = sql.join(
  SKIP_REASONS.map((reason) => sql.ref(`skipped_${reason}`)),
  sql` + `,
)

export async function listEndings(db: Db | Tx, messageIds: number[]): Promise<Ending[]> {
  if (messageIds.length === 0) return []
  const { rows } = await sql<Ending>`
    select m.message_id,
      round(extract(epoch from m.completed_at - coalesce(m.started_at, m.created_at)))::int as seconds, c.*
    from messages m
    cross join lateral (
      select coalesce(sum(selected), 0)::int as selected,
        coalesce(sum(${SKIPPED}), 0)::int as skipped,
        coalesce(sum(notified), 0)::int as notified, coalesce(sum(notifications), 0)::int as notifications,
        coalesce(sum(sent), 0)::int as sent, coalesce(sum(delivered), 0)::int as delivered,
        coalesce(sum(failed), 0)::int as failed, coalesce(sum(possible_duplicates), 0)::int as possible_duplicates
      from message_counts where message_id = m.message_id) c
    where m.message_id = any(${messageIds}::bigint[]) order by m.message_id`.execute(db)
  return rows
}
