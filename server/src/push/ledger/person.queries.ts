import { sql, type RawBuilder } from 'kysely'
import { must } from '../../platform/shared/must.ts'
import { BULK_BLOCKS } from '../records/home.queries.ts'

// Texts, because a function of the database would not run on the server of the home (ADR 2). `@person` is a user.

const SINGLE = `select message_id, made_at, is_listed, has_copy from entries where home = 0 and user_id = @person`

const PLACE = BULK_BLOCKS.placeSql('@person')
const BULK = `
  select message_id, made_at, get_bit(members, ${PLACE}) = 1 as is_listed,
    get_bit(reached, ${PLACE}) = 1 as has_copy
  from bulk_entries
  where home = 0 and block = ${BULK_BLOCKS.blockSql('@person')}
    and 1 in (get_bit(members, ${PLACE}), get_bit(reached, ${PLACE}))`

const ALL = `${SINGLE} union all ${BULK}`

/** The same with what the person did. `read_at` null: unread. */
export const INBOX = `
  select one.message_id, one.made_at, one.is_listed, one.has_copy, coalesce(done.read_at,
    case when (one.made_at, one.message_id) <= (mark.read_up_to, mark.read_message) then mark.read_at end) as read_at
  from (${ALL}) one
  left join inbox_marks mark on mark.home = 0 and mark.user_id = @person
  left join reactions done on done.home = 0 and done.user_id = @person and done.message_id = one.message_id
    and done.device_id = 0`

/**
 * The copies of a person of `@message`: those in the last batch that begins at or before the person. `offset 0`: that
 * batch is found first, also where no statistics say how many there are.
 */
export const COPIES = `
  select copy.* from (
    select batch_id from batches where home = 0 and batches.message_id = @message and first_user <= @person
    order by first_user desc limit 1) held
  cross join lateral (
    select * from notifications where home = 0 and batch_id = held.batch_id and user_id = @person offset 0) copy`

type Person = (person: RawBuilder<unknown>) => RawBuilder<unknown>

/** Entries and copies of a person. Of a message one row at most is listed, and one has copies. */
export const selectEntries: Person = (person) => filled(ALL, { person })

/** The parts of `ALL` that a page reads in order, each by its index. */
export const SOURCES: readonly Person[] = [SINGLE, BULK].map((text) => (person) => filled(text, { person }))

export const selectInbox: Person = (person) => filled(INBOX, { person })

export function copiesFor(person: RawBuilder<unknown>, message: RawBuilder<unknown>): RawBuilder<unknown> {
  return filled(COPIES, { person, message })
}

/** All copies of a person, found by the inbox. */
export const selectNotifications: Person = (person) => sql`(
  select found.* from ${selectEntries(person)} told cross join lateral ${copiesFor(person, sql`told.message_id`)} found
  where told.has_copy)`

function filled(text: string, places: Record<string, RawBuilder<unknown>>): RawBuilder<unknown> {
  const parts = text.split(/@(person|message)/)
  return sql`(${sql.join(
    parts.map((part, n) => (n % 2 === 0 ? sql.raw(part) : must(places[part], 'place of a text'))),
    sql``,
  )})`
}
