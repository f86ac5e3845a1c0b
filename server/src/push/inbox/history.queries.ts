import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { atMicros, microsOf } from '../../platform/db/micros.ts'
import type { InboxEntry } from './inbox.queries.ts'

export type InboxState = 'unread' | 'read' | 'all'

/** `at`: when its message was made, in microseconds. */
export type HistoryEntry = InboxEntry & { at: number; message_id: number }

export type HistoryPage = { after: [at: number, messageId: number] | undefined; limit: number }

/** One entry for each message (decision B18): of several copies the one with the most advanced state. */
export async function listHistory(
  db: Db,
  userId: number,
  state: InboxState,
  { after, limit }: HistoryPage,
): Promise<HistoryEntry[]> {
  const user = sql`${userId}::bigint`
  const isAfter =
    after === undefined ? sql`true` : sql`(e.made_at, e.message_id) < (${atMicros(after[0])}, ${after[1]})`
  const { rows } = await sql<HistoryEntry>`
    with chosen as materialized (
      select e.made_at, e.message_id from entries_of(${user}) e
      where ${isAfter} and ${STATES[state](user)}
      order by e.made_at desc, e.message_id desc limit ${limit})
    select c.*, ${microsOf(sql`e.made_at`)} as at, m.title, m.body, m.data, m.type, m.created_at
    from chosen e join messages m on m.message_id = e.message_id
    cross join lateral (
      select message_id, notification_id, mobile_devices_id, is_send, is_delivered, is_open, attempts, error_message,
        settled_at, shown_at, dismissed_at, updated_at
      from copies_for(${user}, e.message_id)
      order by is_delivered is true desc, is_send desc, notification_id limit 1) c
    order by e.made_at desc, e.message_id desc`.execute(db)
  return rows
}

/** Of an entry `e`. */
const isOpened = (user: RawBuilder<unknown>) => sql`exists (
  select from reactions r where r.home = 0 and r.user_id = ${user} and r.message_id = e.message_id and r.device_id = 0)`

const STATES: { [State in InboxState]: (user: RawBuilder<unknown>) => RawBuilder<unknown> } = {
  all: () => sql`true`,
  read: isOpened,
  unread: (user) => sql`not ${isOpened(user)}`,
}
