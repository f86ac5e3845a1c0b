import type { Static } from 'typebox'
import type { Db } from '../../platform/db/connect.ts'
import { listNewEntries, type InboxRow } from './entries.queries.ts'
import type { InboxItem } from './entries.views.ts'

export type Item = Static<typeof InboxItem>

/** `at`: when it came, in microseconds. */
export type NewItem = { userId: number; at: number; item: Item }

export function toItem(row: InboxRow): Item {
  const { message_id, kind, title, text, data, is_seen, is_read, is_archived, made_at } = row
  const link = data?.['link']
  return {
    message_id,
    kind,
    title,
    text,
    data,
    link: typeof link === 'string' ? link : null,
    seen: is_seen,
    read: is_read,
    archived: is_archived,
    created_at: made_at.toISOString(),
  }
}

/** What came to people after a version of their badge, oldest first; of each up to `limit`, the newest. */
export async function listNewItems(
  db: Db,
  known: readonly { userId: number; version: number }[],
  limit: number,
): Promise<NewItem[]> {
  const rows = await listNewEntries(db, known, limit)
  return rows.map(({ userId, ...row }) => ({ userId, at: row.at, item: toItem(row) }))
}
