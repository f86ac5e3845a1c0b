import { sql, type RawBuilder } from 'kysely'
import { asRows, int8Array } from '../../platform/db/arrays.ts'
import type { Runner } from '../../platform/db/connect.ts'
import { countHomes, expectHeard } from '../../platform/db/homes.ts'
import { everyHome, listHomes, toHome } from './home.queries.ts'
import { HELD } from './statuses.queries.ts'

// Messages lie on the coordinator, which alone changes them. Where there are several homes, each has what it needs of
// the messages to its people (ADR 2), so that no statement asks two servers.
const COLUMNS = [
  'message_id',
  'type',
  'origin',
  'audience',
  'lane',
  'needs_opt_in',
  'recipient_id',
  'title',
  'body',
  'data',
  'event',
  'about',
  'merge_key',
  'is_chat',
  'is_end',
  'is_inbox_only',
  'subject',
  'created_at',
  'started_at',
  'completed_at',
  'expires_at',
  'restored_at',
] as const

const NAMES = sql.join(COLUMNS.map((name) => sql.ref(name)))
const TOLD = sql.join(COLUMNS.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`))
// A home checks again, before it sends, a message that is about something. It need not know about what: that may name
// people, who would stay here after their purge.
const KNOWN = sql.join(
  COLUMNS.map((name) =>
    name === 'about' ? sql`case when about is not null then '{}'::jsonb end as about` : sql.ref(name),
  ),
)

// Each takes as many parameters as there are columns.
const ROWS_A_STATEMENT = 500

/**
 * Tells the home of its recipient of each message, and all homes of one that has several, as `tellHomesOf` does. A
 * message that is held for a home is told there with its batch.
 */
export async function tellHomes(tx: Runner, messageIds: readonly number[]): Promise<void> {
  if (countHomes(tx) === 1) return
  const isTold = (home: number, { recipient_id: userId }: Row) => userId === null || toHome(tx, Number(userId)) === home
  await insertMessages(tx, messageIds, { homes: listHomes(tx), isTold, conflict: TOLD })
}

/** Gives homes these messages as they are now. The caller's transaction has them locked, or wrote them. */
export async function tellHomesOf(tx: Runner, messages: ReadonlyMap<number, ReadonlySet<number>>): Promise<void> {
  if (countHomes(tx) === 1) return
  const isTold = (home: number, row: Row) => messages.get(row.message_id)?.has(home) === true
  await insertMessages(tx, [...messages.keys()], { homes: listHomes(tx), isTold, conflict: TOLD })
}

/**
 * Waits for each transaction that tells a home of these messages, also one that was killed between the commits of the
 * coordinator and of the home. A home that does not know one is told of it.
 */
export async function waitUntilTold(db: Runner, home: number, messageIds: readonly number[]): Promise<void> {
  const conflict = sql`message_id = excluded.message_id`
  await insertMessages(db, messageIds, { homes: [home], isTold: () => true, conflict })
}

type Row = Record<(typeof COLUMNS)[number], unknown> & { message_id: number }
type Telling = {
  homes: readonly number[]
  isTold: (home: number, row: Row) => boolean
  conflict: RawBuilder<unknown>
}

async function insertMessages(
  runner: Runner,
  messageIds: readonly number[],
  { homes, isTold, conflict }: Telling,
): Promise<void> {
  for (let from = 0; from < messageIds.length; from += ROWS_A_STATEMENT) {
    const ids = int8Array(messageIds.slice(from, from + ROWS_A_STATEMENT))
    const { rows } = await sql<Row>`
      select ${KNOWN} from messages
      where message_id = any(${ids}::bigint[]) and sleeps_until is distinct from ${HELD}
      order by message_id`.execute(runner)
    for (const home of homes) {
      const told = rows.filter((row) => isTold(home, row))
      if (told.length === 0) continue
      expectHeard(runner, home)
      const toValues = (row: Row) => sql.join(COLUMNS.map((name) => toParameter(row[name])))
      await sql`
        insert into home_messages (home, ${NAMES}) values ${sql.join(told.map((row) => sql`(${home}, ${toValues(row)})`))}
        on conflict (home, message_id) do update set ${conflict}`.execute(runner)
    }
  }
}

const LATE_READ = 5_000

/**
 * Tells homes when each message that was made before a moment was over, where that was later. `wasOver` looks for it.
 * All messages made before are over.
 */
export async function tellHomesOfLate(tx: Runner, before: Date): Promise<void> {
  if (countHomes(tx) === 1) return
  for (let after = -1; ;) {
    const { rows } = await sql<{ message_id: number; recipient_id: number | null; completed_at: Date }>`
      select message_id, recipient_id, completed_at from messages
      where message_id > ${after} and created_at < ${before} and completed_at >= ${before}
      order by message_id limit ${LATE_READ}`.execute(tx)
    for (const home of listHomes(tx)) {
      const late = rows.filter(({ recipient_id: userId }) => userId === null || toHome(tx, userId) === home)
      if (late.length > 0)
        await sql`
          update home_messages h set completed_at = r.completed_at
          from ${asRows(late, { message_id: 'bigint', completed_at: 'timestamptz' })} as r(message_id, completed_at)
          where h.home = ${home} and h.message_id = r.message_id`.execute(tx)
    }
    const last = rows.at(LATE_READ - 1)
    if (last === undefined) return
    after = last.message_id
  }
}

/** Messages of which nothing is kept any more. */
export async function deleteHomeMessages(tx: Runner, messageIds: readonly number[]): Promise<void> {
  if (countHomes(tx) === 1) return
  await sql`
    delete from home_messages
    where home in ${everyHome(tx)} and message_id = any(${int8Array(messageIds)}::bigint[])`.execute(tx)
}

/** Marks what homes know of messages of which they have something to send, or asked a provider without an answer. */
export async function markRestoredAtHomes(tx: Runner, now: Date): Promise<void> {
  if (countHomes(tx) === 1) return
  for (const home of listHomes(tx))
    await sql`
      update home_messages set restored_at = ${now} where home = ${home} and message_id in (
        select message_id from work where home = ${home}
        union select unnest(message_ids) from requests where home = ${home} and outcome is null)`.execute(tx)
}

/** JSON as text. */
function toParameter(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value
}
