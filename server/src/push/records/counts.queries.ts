import { sql } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Db, Runner, Tx } from '../../platform/db/connect.ts'
import { countHomes, expectHeard } from '../../platform/db/homes.ts'
import { SKIP_REASONS } from '../../platform/shared/words.ts'
import { COUNT_NAMES, type CountName } from '../../platform/tables/tables.ts'
import { everyHome, listHomes, messagesIn, valuesOr } from './home.queries.ts'
import { additions, sumRows } from './sums.queries.ts'
import { addProviderCounts, deleteProviderCounts } from './provider-counts.queries.ts'
import { addWayCounts, type ByWay } from './way-counts.queries.ts'
import { must } from '../../platform/shared/must.ts'

export type CountChange = { messageId: number; byWay?: ByWay } & { [Name in CountName]?: number }

const SLOTS = 16
const COLUMNS = sql.raw(COUNT_NAMES.join(', '))

/**
 * What changed in a home. `seed` (a batch or user id) picks the slot, so that writers of one message rarely meet
 * (ADR 7). A message to one person has one slot, because its row is most of what such a message keeps.
 */
export async function addCounts(tx: Runner, home: number, changes: CountChange[], seed: number): Promise<void> {
  const added = changes.map((change) => ({ row: { message_id: change.messageId }, added: change }))
  // The order of ids keeps two writers of several messages from waiting for each other in a circle.
  const rows = sumRows(added, COUNT_NAMES).toSorted((a, b) => a.message_id - b.message_id)
  if (rows.length === 0) return
  const slot = toSlot(seed)
  const toOne = countHomes(tx) === 1 ? undefined : await listToOne(tx, home, changes)
  const isToMany = (messageId: number) => toOne?.has(messageId) !== true
  const adding = sql`
    insert into message_counts (home, message_id, slot, ${COLUMNS})
    ${valuesOr(
      sql`
        select ${home}, c.message_id, case when m.recipient_id is null then ${slot} else 0 end, ${COLUMNS}
        from json_populate_recordset(null::message_counts, ${JSON.stringify(rows)}::json) c
        left join ${messagesIn(tx, home)} m on m.message_id = c.message_id
        order by c.message_id`,
      tx,
      rows,
      (row) => sql`
        (${home}, ${row.message_id}, ${isToMany(row.message_id) ? slot : 0},
          ${sql.join(COUNT_NAMES.map((name) => row[name]))})`,
    )}
    on conflict (home, message_id, slot) do update set ${additions('message_counts', COUNT_NAMES)}`.execute(tx)
  const ofProviders = changes.filter(({ messageId }) => isToMany(messageId))
  await Promise.all([adding, addProviderCounts(tx, home, ofProviders, slot), addWayCounts(tx, home, changes, slot)])
}

/** Lists the messages with one recipient. To join them in the statement that counts would cost Citus more. */
async function listToOne(tx: Runner, home: number, changes: readonly CountChange[]): Promise<Set<number>> {
  const ids = int8Array(changes.map(({ messageId }) => messageId))
  const { rows } = await sql<{ message_id: number }>`
    select message_id from home_messages
    where home = ${home} and message_id = any(${ids}::bigint[]) and recipient_id is not null`.execute(tx)
  return new Set(rows.map((row) => row.message_id))
}

/**
 * The people whom messages of the sender since then reach, with those to whom the next one goes (null: the test users).
 * Without what another administrator approved, or what went to everyone. Test users may be reached later, until their
 * message expires (28 days at most). Sends of one sender wait for each other.
 */
export async function countReached(
  tx: Tx,
  senderId: number,
  since: Date,
  next: readonly number[] | null,
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`reached:${senderId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ n: number }>`
    with lately as materialized (
      select m.message_id, m.audience = 'sandbox' and m.coordinated_at is null as is_open from messages m
      where m.sender_id = ${senderId} and m.origin in ('named', 'system', 'test', 'bulk') and m.audience <> 'all'
        and m.created_at > ${since}::timestamptz - interval '28 days'
        and (m.created_at > ${since} or m.audience = 'sandbox' and m.started_at > ${since})
        and not exists (
          select from approvals a
          where a.author_id = ${senderId} and a.status = 'approved' and a.kind = 'send' and a.decided_at > ${since}
            and a.result -> 'notification_ids' @> to_jsonb(m.message_id)))
    select count(*)::int as n from (
      select user_id from lately l
      join batches b on b.home in ${everyHome(tx)} and b.message_id = l.message_id
      cross join unnest(b.user_ids) user_id where user_id > 0
      union
      select unnest(${int8Array(next ?? [])}::bigint[])
      union
      select u.user_id from users u where u.is_test_user and u.deleted_at is null
        and (${next === null} or exists (select from lately where is_open))) people`.execute(tx)
  return must(rows[0], 'count of people').n
}

/** The log says this of a campaign that is over. `seconds`: since it began. */
type Ending = { message_id: number; seconds: number } & Record<
  'selected' | 'skipped' | 'notified' | 'notifications' | 'sent' | 'delivered' | 'failed' | 'possible_duplicates',
  number
>

const SKIPPED = sql.join(
  SKIP_REASONS.map((reason) => sql.ref(`skipped_${reason}`)),
  sql` + `,
)
const ENDED = ['selected', 'notified', 'notifications', 'sent', 'delivered', 'failed', 'possible_duplicates'] as const

/** A campaign ends while others are sent, so each home is asked by itself. */
export async function listEndings(db: Db | Tx, messageIds: number[]): Promise<Ending[]> {
  if (messageIds.length === 0) return []
  const sums = sql.join(ENDED.map((name) => sql`sum(${sql.ref(name)})::int as ${sql.ref(name)}`))
  const { rows: ended } = await sql<Pick<Ending, 'message_id' | 'seconds'>>`
    select message_id, round(extract(epoch from completed_at - coalesce(started_at, created_at)))::int as seconds
    from messages where message_id = any(${messageIds}::bigint[]) order by message_id`.execute(db)
  const counted: Omit<Ending, 'seconds'>[] = []
  for (const home of listHomes(db)) {
    expectHeard(db, home)
    const { rows } = await sql<Omit<Ending, 'seconds'>>`
      select message_id, sum(${SKIPPED})::int as skipped, ${sums} from message_counts
      where home = ${home} and message_id = any(${messageIds}::bigint[]) group by message_id`.execute(db)
    counted.push(...rows)
  }
  return ended.map((one) => {
    const own = counted.filter((row) => row.message_id === one.message_id)
    const names = [...ENDED, 'skipped'] as const
    const total = (name: (typeof names)[number]) => own.reduce((sum, row) => sum + row[name], 0)
    return {
      ...one,
      ...(Object.fromEntries(names.map((name) => [name, total(name)])) as Omit<Ending, keyof typeof one>),
    }
  })
}

export async function deleteCounts(tx: Tx, messageIds: number[]): Promise<void> {
  await sql`
    delete from message_counts
    where home in ${everyHome(tx)} and message_id = any(${messageIds}::bigint[])`.execute(tx)
  await deleteProviderCounts(tx, messageIds)
}

/** Seeds come in steps of a claim's batches or requests: taken as they are, they would share a few slots. */
export function toSlot(seed: number): number {
  return Math.floor(((seed * 0.618_033_988_749_895) % 1) * SLOTS)
}
