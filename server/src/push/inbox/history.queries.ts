import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { atMicros, microsOf } from '../../platform/db/micros.ts'
import type { InboxEntry } from './inbox.queries.ts'

export type InboxState = 'unread' | 'read' | 'all'

/** `at`: when its message was made, in microseconds. */
export type HistoryEntry = InboxEntry & { at: number; message_id: number }

export type HistoryPage = { after: [at: number, messageId: number] | undefined; limit: number }

// The same expressions as in the indexes notifications_unread and notifications_opened.
const MADE_AT = sql`coalesce(message_at, created_at)`
const COPY = sql`message_id, notification_id, mobile_devices_id, is_send, is_delivered, is_open, attempts,
  error_message, settled_at, shown_at, dismissed_at, updated_at`

/** One entry for each message (decision B18): of several copies the one with the most advanced state. */
export async function listHistory(
  db: Db,
  userId: number,
  state: InboxState,
  page: HistoryPage,
): Promise<HistoryEntry[]> {
  const { rows } = await sql<HistoryEntry>`
    with chosen as (${entriesOf(userId, state, page)})
    select c.*, ${microsOf(sql`c.made_at`)} as at, m.title, m.body, m.data, m.type, m.created_at
    from chosen c join messages m on m.message_id = c.message_id
    order by c.made_at desc, c.message_id desc`.execute(db)
  return rows
}

function entriesOf(userId: number, state: InboxState, page: HistoryPage): RawBuilder<unknown> {
  if (state !== 'all') return firstOf(userId, sql.raw(state === 'read' ? 'is_open' : 'not is_open'), page)
  const both = ['is_open', 'not is_open'].map((which) => sql`(${firstOf(userId, sql.raw(which), page)})`)
  return sql`
    select distinct on (made_at, message_id) * from (${sql.join(both, sql` union all `)}) b
    order by made_at desc, message_id desc limit ${page.limit}`
}

function firstOf(userId: number, which: RawBuilder<unknown>, { after, limit }: HistoryPage): RawBuilder<unknown> {
  const isAfter = after === undefined ? sql`true` : sql`(${MADE_AT}, message_id) < (${atMicros(after[0])}, ${after[1]})`
  return sql`
    select distinct on (${MADE_AT}, message_id) ${MADE_AT} as made_at, ${COPY} from notifications
    where user_id = ${userId} and ${which} and deleted_at is null and ${isAfter}
    order by ${MADE_AT} desc, message_id desc, is_delivered is true desc, is_send desc, notification_id limit ${limit}`
}
