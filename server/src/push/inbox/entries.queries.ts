import { sql, type RawBuilder } from 'kysely'
import { asRows } from '../../platform/db/arrays.ts'
import type { Db } from '../../platform/db/connect.ts'
import { atHome } from '../../platform/db/homes.ts'
import { atMicros, toMicros } from '../../platform/db/clock.ts'
import { joinWithAnd } from '../../platform/lists/list-rows.ts'
import type { EventKind } from '../../platform/events/event-kinds.ts'
import { groupByHome, messagesIn, toHome } from '../records/home.queries.ts'
import { findMark, SOURCES } from '../ledger/person.queries.ts'

/** What the message tells of: a kind of event, or who sent it. */
type EntryKind = EventKind | 'promotion'

export type InboxRow = {
  message_id: number
  made_at: Date
  /** `created_at` in microseconds. */
  at: number
  kind: EntryKind
  title: string
  text: string
  data: Record<string, unknown> | null
  is_seen: boolean
  is_read: boolean
  is_archived: boolean
}

export type EntryFilter = { isUnread: boolean; isArchived: boolean; kind: EntryKind | undefined }

const KIND = sql`coalesce(m.event, case when m.type = 'promotional' then 'promotion' else 'system' end)`

type Page = { condition: RawBuilder<unknown>; limit: number }

/** Listed entries of a person (an expression) of a home, newest first, from both sources. */
function selectPage(
  source: Db,
  home: number,
  person: RawBuilder<unknown>,
  { condition, limit }: Page,
): RawBuilder<unknown> {
  const pages = SOURCES.map(
    (entriesOf) => sql`(
      select e.message_id, e.made_at, ${toMicros(sql`e.made_at`)} as at, ${KIND} as kind, m.title,
        m.body as text, m.data,
        d.is_read or (e.made_at <= k.seen_up_to) is true as is_seen, d.is_read, r.archived_at is not null as is_archived
      from ${entriesOf(home, person)} e
      join ${messagesIn(source, home)} m on m.message_id = e.message_id
      left join inbox_marks k on k.home = ${home} and k.user_id = ${person}
      left join reactions r on r.home = ${home} and r.user_id = ${person} and r.message_id = e.message_id
        and r.device_id = 0
      cross join lateral (
        select r.read_at is not null or ((e.made_at, e.message_id) <= (k.read_up_to, k.read_message)) is true
          as is_read) d
      where e.is_listed and ${condition}
      order by e.made_at desc, e.message_id desc limit ${limit})`,
  )
  return sql`
    select * from (${sql.join(pages, sql` union all `)}) both_sources
    order by made_at desc, message_id desc limit ${limit}`
}

/** Newest first, by when they came. */
export async function listEntries(
  db: Db,
  userId: number,
  { isUnread, isArchived, kind }: EntryFilter,
  { after, limit }: { after: [at: number, messageId: number] | undefined; limit: number },
): Promise<InboxRow[]> {
  const person = sql`${userId}::bigint`
  const home = toHome(db, userId)
  const conditions = [
    sql`(r.archived_at is not null) = ${isArchived}`,
    isUnread && sql`not d.is_read and e.made_at >= ${findMark(home, person)}`,
    kind && sql`${KIND} = ${kind}`,
    after && sql`(e.made_at, e.message_id) < (${atMicros(after[0])}, ${after[1]}::bigint)`,
  ]
  const page = selectPage(db, home, person, { condition: joinWithAnd(conditions), limit })
  const { rows } = await atHome(db, home, (own) => sql<InboxRow>`${page}`.execute(own))
  return rows
}

/** Lists the entries that came after a version of the badge, oldest first. If a person has more than `limit`, the
 * newest are listed. */
export async function listNewEntries(
  db: Db,
  known: readonly { userId: number; version: number }[],
  limit: number,
): Promise<(InboxRow & { userId: number })[]> {
  const entries: (InboxRow & { userId: number })[] = []
  const condition = sql`e.made_at > to_timestamp(p.version / 1000.0)`
  for (const [home, own] of groupByHome(db, known, ({ userId }) => userId)) {
    const page = selectPage(db, home, sql`p.user_id`, { condition, limit })
    const { rows } = await sql<InboxRow & { userId: number }>`
      select p.user_id as "userId", n.*
      from ${asRows(own, { userId: 'bigint', version: 'bigint' })} p(user_id, version) cross join lateral (${page}) n
      order by p.user_id, n.made_at, n.message_id`.execute(db)
    entries.push(...rows)
  }
  return entries
}
