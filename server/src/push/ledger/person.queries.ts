import { sql, type RawBuilder } from 'kysely'
import { must } from '../../platform/shared/must.ts'
import { BULK_BLOCKS } from '../records/home.queries.ts'
import { COPIES } from './copies.queries.ts'

// Texts, because a function of the database would not run on the server of the home (ADR 2). `@person` is a user, whose
// home is `@home`.

const SINGLE = `select message_id, made_at, is_listed, has_copy from entries where home = @home and user_id = @person`

const PLACE = BULK_BLOCKS.placeSql('@person')
const BULK = `
  select message_id, made_at, get_bit(members, ${PLACE}) = 1 as is_listed,
    get_bit(reached, ${PLACE}) = 1 as has_copy
  from bulk_entries
  where home = @home and block = ${BULK_BLOCKS.blockSql('@person')}
    and 1 in (get_bit(members, ${PLACE}), get_bit(reached, ${PLACE}))`

const ALL = `${SINGLE} union all ${BULK}`

/** The same with what the person did. `read_at` null: unread. */
const INBOX = `
  select one.message_id, one.made_at, one.is_listed, one.has_copy, coalesce(done.read_at,
    case when (one.made_at, one.message_id) <= (mark.read_up_to, mark.read_message) then mark.read_at end) as read_at
  from (${ALL}) one
  left join inbox_marks mark on mark.home = @home and mark.user_id = @person
  left join reactions done on done.home = @home and done.user_id = @person and done.message_id = one.message_id
    and done.device_id = 0`

/** All entries from before this mark are read, so a statement that looks for unread ones starts at it in the index. */
const MARK = `select coalesce(max(read_up_to), '-infinity') from inbox_marks where home = @home and user_id = @person`
const SINCE_MARK = `made_at >= (${MARK})`

/**
 * The messages with a copy of which nothing was read; reactions as one set, as a join looks up each of many entries. A
 * late copy of an entry from before the mark stands alone here, and is not listed.
 */
export const UNREAD_MESSAGES = `
  select message_id, min(made_at) as made_at, bool_or(is_listed) as is_listed
  from (${SINGLE} and ${SINCE_MARK} union all ${BULK} and ${SINCE_MARK}) entry
  group by message_id
  having bool_or(has_copy)
    and bool_or((made_at, message_id) <= (
      select read_up_to, read_message from inbox_marks where home = @home and user_id = @person)) is not true
    and message_id not in (
      select message_id from reactions
      where home = @home and user_id = @person and device_id = 0 and read_at is not null)`

/** Plain, or an expression where a statement crosses homes. */
type Home = number | RawBuilder<unknown>
type Person = (home: Home, person: RawBuilder<unknown>) => RawBuilder<unknown>

/** Entries and copies of a person. Of a message one row at most is listed, and one has copies. */
export const selectEntries: Person = (home, person) => filled(ALL, { home, person })

/** The parts of `ALL` that a page reads in order, each by its index. */
export const SOURCES: readonly Person[] = [SINGLE, BULK].map((text) => (home, person) => filled(text, { home, person }))

export const findMark: Person = (home, person) => filled(MARK, { home, person })

export const selectInbox: Person = (home, person) => filled(INBOX, { home, person })

export function copiesFor(home: Home, person: RawBuilder<unknown>, message: RawBuilder<unknown>): RawBuilder<unknown> {
  return filled(COPIES, { home, person, message })
}

/** All copies of a person, found by the inbox. `offset 0`: what is joined to them is not read once for each copy. */
export const selectNotifications: Person = (home, person) => sql`(
  select found.* from ${selectEntries(home, person)} entry
  cross join lateral ${copiesFor(home, person, sql`entry.message_id`)} found
  where entry.has_copy offset 0)`

function filled(text: string, places: Record<string, Home>): RawBuilder<unknown> {
  const parts = text.split(/@(home|person|message)/)
  return sql`(${sql.join(
    parts.map((part, n) => (n % 2 === 0 ? sql.raw(part) : sql`${must(places[part], 'place of a text')}`)),
    sql``,
  )})`
}
