import type { DbPool } from '../../platform/db/connect.ts'
import { atHome, countHomes } from '../../platform/db/homes.ts'
import { runPrepared } from '../../platform/db/prepared.ts'
import { COPIES } from '../ledger/copies.queries.ts'
import { UNREAD_MESSAGES } from '../ledger/person.queries.ts'
import { messagesTextIn, toHome } from '../records/home.queries.ts'
import type { Message } from '../records/messages.queries.ts'
import type { StateFacts } from '../records/states.ts'

export type InboxEntry = StateFacts &
  Pick<Message, 'title' | 'body' | 'data' | 'type' | 'created_at'> & {
    notification_id: number
    mobile_devices_id: number
    updated_at: Date
  }

const mine = (text: string) => text.replaceAll('@person', '$1::bigint').replaceAll('@home', '$3')
const selectCopies = (message: string) => mine(COPIES).replaceAll('@message', message)

/**
 * One a message with a copy (decision B18), in the order in which they came. A late copy was read with its entry. A
 * line of a chat has no entry; any other message without one was stale.
 */
const toUnread = (messages: string) => `
  with waiting as materialized (
    select message_id, made_at from (${mine(UNREAD_MESSAGES)}) entry
    where is_listed or exists (
      select from ${messages} m cross join lateral (${selectCopies('entry.message_id')}) c
      where m.message_id = entry.message_id and m.is_chat and c.error_message is distinct from 'MessageStale'))
  select c.*, m.title, m.body, m.data, m.type, u.made_at as created_at, (select count(*) from waiting) as unread
  from (select * from waiting order by made_at desc, message_id desc limit $2) u
  join ${messages} m on m.message_id = u.message_id
  cross join lateral (
    select message_id, notification_id, mobile_devices_id, is_send, is_delivered, is_open, attempts, error_message,
      settled_at,
      shown_at, dismissed_at, updated_at
    from (${selectCopies('u.message_id')}) copies
    order by is_delivered is true desc, is_send desc, notification_id limit 1) c
  order by u.made_at desc, u.message_id desc`

const UNREAD = { plain: toUnread('messages'), divided: toUnread(messagesTextIn('$3')) }

/** Prepared, because apps ask at every start, and planning would take longer than running. */
export function unreadStatement(pool: DbPool, userId: number, limit: number) {
  const home = toHome(pool, userId)
  return { name: 'unread', text: countHomes(pool) === 1 ? UNREAD.plain : UNREAD.divided, values: [userId, limit, home] }
}

export async function listUnread(
  pool: DbPool,
  userId: number,
  limit: number,
): Promise<{ entries: InboxEntry[]; unread: number }> {
  const home = toHome(pool, userId)
  const statement = unreadStatement(pool, userId, limit)
  const rows = await atHome(pool, home, (own) => runPrepared<InboxEntry & { unread: number }>(own, statement))
  return { entries: rows, unread: rows[0]?.unread ?? 0 }
}
