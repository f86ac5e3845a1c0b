import { sql } from 'kysely'
import type { Tx } from '../../platform/db/connect.ts'
import type { UnknownCopy } from '../records/copies.ts'

/** Of claimed batches that are not over; `last` undefined: there was none. */
export async function listOpenCopiesAfter(
  tx: Tx,
  after: number,
  limit: number,
): Promise<{ last: number | undefined; copies: UnknownCopy[] }> {
  const { rows: batches } = await sql<{ batch_id: number }>`
    select batch_id from batches
    where batch_id > ${after} and status in ('submitting', 'waiting') and claim is not null
    order by batch_id limit ${limit}`.execute(tx)
  const last = batches.at(-1)?.batch_id
  if (last === undefined) return { last, copies: [] }
  const { rows: copies } = await sql<UnknownCopy>`
    select n.notification_id as "notificationId", n.user_id as "userId", n.submission_id as "submissionId"
    from (
      select b.batch_id, b.message_id, r.user_id from batches b cross join lateral unnest(b.user_ids) r(user_id)
      where b.batch_id = any(${batches.map(({ batch_id }) => batch_id)}::bigint[]) offset 0) r
    join notifications n on n.user_id = r.user_id and n.message_id = r.message_id and n.batch_id = r.batch_id
    where n.ticket_id is null and n.settled_at is null`.execute(tx)
  return { last, copies }
}
