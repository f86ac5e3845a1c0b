import type { DbPool } from '../../platform/db/connect.ts'
import { runPrepared } from '../../platform/db/prepared.ts'
import type { Message } from '../records/messages.queries.ts'
import type { StateFacts } from '../records/states.ts'

export type InboxEntry = StateFacts &
  Pick<Message, 'title' | 'body' | 'data' | 'type' | 'created_at'> & {
    notification_id: number
    mobile_devices_id: number
    updated_at: Date
  }

/** One entry a message (decision B18), dated by it: copies sent together after an outage have the same time. */
export const UNREAD = `
  with unread as (
    select distinct on (message_id) message_id, notification_id, mobile_devices_id, is_send, is_delivered, is_open,
      attempts, error_message, settled_at, shown_at, dismissed_at, updated_at
    from notifications
    where user_id = $1 and not is_open and deleted_at is null
    order by message_id, is_delivered is true desc, is_send desc, notification_id)
  select u.*, m.title, m.body, m.data, m.type, m.created_at, (select count(*) from unread) as unread
  from unread u
  join messages m on m.message_id = u.message_id
  order by m.created_at desc, m.message_id desc
  limit $2`

/** Prepared, because apps ask at every start, and planning would take longer than running. */
export async function listUnread(
  pool: DbPool,
  userId: number,
  limit: number,
): Promise<{ entries: InboxEntry[]; unread: number }> {
  const statement = { name: 'unread', text: UNREAD, values: [userId, limit] }
  const rows = await runPrepared<InboxEntry & { unread: number }>(pool, statement)
  return { entries: rows, unread: rows[0]?.unread ?? 0 }
}
