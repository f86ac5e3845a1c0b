import { sql, type Selectable } from 'kysely'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Lane, MessageStatus, Tables } from '../../platform/tables/tables.ts'
import { must } from '../../platform/shared/must.ts'
import type { Message } from './messages.queries.ts'

const USERS = `(select min(user_id) from unnest(b.user_ids) user_id) as lowest_user,
  (select max(user_id) from unnest(b.user_ids) user_id) as highest_user, cardinality(b.user_ids) as users`

type Batch = Selectable<Tables['batches']>

export type OverdueBatch = Pick<Batch, 'batch_id' | 'message_id' | 'claim'> & {
  lowest_user: number
  highest_user: number
  users: number
}

export type LockedBatch = OverdueBatch &
  Pick<Batch, 'attempts'> &
  Pick<Message, 'origin' | 'event' | 'merge_key' | 'lane' | 'title' | 'body' | 'data' | 'expires_at'> & {
    /** Its staleness must be checked before it is sent. */
    rechecks: boolean
    /** Its message was restored from a backup before it was over (ADR 050). */
    is_restored: boolean
    /** When its message was made. */
    message_at: Date
  }

/** Batches of a lane that are due, up to `limit`, or named ones if they still are. */
export type BatchChoice = DueChoice | { batchIds: number[] }
export type DueChoice = { lane: Lane; limit: number }

export function idsOf(batches: readonly Pick<Batch, 'batch_id'>[]): number[] {
  return batches.map((batch) => batch.batch_id)
}

/** Fresh ones were never claimed: their notifications do not exist yet. */
export function byFreshness<B extends Pick<Batch, 'claim'>>(batches: readonly B[]): { fresh: B[]; tried: B[] } {
  const { fresh = [], tried = [] } = Object.groupBy(batches, ({ claim }) => (claim === null ? 'fresh' : 'tried'))
  return { fresh, tried }
}

/** Counted up to `limit`. */
export async function countDueBatches(db: Db, provider: string, choice: DueChoice, now: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select from messages m cross join lateral (${dueBatchesOf('b.batch_id', provider, choice, now)}) b
      where m.status in ('queued', 'sending') and m.lane = ${choice.lane} and m.sleeps_until is null
      limit ${choice.limit}) due`.execute(db)
  return must(rows[0], 'count of due batches').n
}

/** Oldest message first, then longest due. A sort after the join would lock the batches of all messages. */
export async function lockDueBatches(tx: Tx, provider: string, choice: BatchChoice, now: Date): Promise<LockedBatch[]> {
  const columns = `b.batch_id, b.attempts, b.claim, ${USERS}`
  const ofMessage = sql`m.message_id, m.origin, m.event, m.merge_key, m.lane, m.title, m.body, m.data, m.expires_at,
    m.about is not null or m.merge_key is not null as rechecks, m.restored_at is not null as is_restored,
    m.created_at as message_at`
  const { rows } =
    'lane' in choice
      ? await sql<LockedBatch>`
          select b.*, ${ofMessage}
          from (
            select * from messages where status in ('queued', 'sending') and lane = ${choice.lane}
              and sleeps_until is null
            order by created_at, message_id) m
          cross join lateral (${dueBatchesOf(columns, provider, choice, now)} for update of b skip locked) b
          limit ${choice.limit}`.execute(tx)
      : await sql<LockedBatch>`
          select ${sql.raw(columns)}, ${ofMessage}
          from batches b join messages m on m.message_id = b.message_id
          where b.batch_id = any(${int8Array(choice.batchIds)}) and b.status in ('queued', 'waiting')
            and b.due_at <= ${now}
            and m.status in ('queued', 'sending') and ${isOf(provider)}
          order by b.batch_id for update of b skip locked`.execute(tx)
  return rows
}

function dueBatchesOf(columns: string, provider: string, { limit }: DueChoice, now: Date) {
  return sql`
    select ${sql.raw(columns)} from batches b
    where b.message_id = m.message_id and b.status in ('queued', 'waiting') and b.due_at <= ${now} and ${isOf(provider)}
    order by b.due_at, b.batch_id limit ${limit}`
}

// A claimed batch belongs to one provider; a batch that was never claimed belongs to none.
function isOf(provider: string) {
  return sql`(b.claim is null or b.provider = ${provider})`
}

export type OpenBatch = Pick<OverdueBatch, 'batch_id' | 'message_id' | 'claim' | 'users'>

const OPEN_BATCH = sql`batch_id, message_id, claim, cardinality(user_ids) as users`

/** Those being submitted are not among them. */
export async function lockWaitingBatches(tx: Tx, messageId: number): Promise<OpenBatch[]> {
  const { rows } = await sql<OpenBatch>`
    select ${OPEN_BATCH} from batches
    where message_id = ${messageId} and status in ('queued', 'waiting')
    order by batch_id for update`.execute(tx)
  return rows
}

export async function lockOpenBatch(tx: Tx, batchId: number): Promise<OpenBatch | undefined> {
  const { rows } = await sql<OpenBatch>`
    select ${OPEN_BATCH} from batches
    where batch_id = ${batchId} and status in ('queued', 'submitting', 'waiting') for update`.execute(tx)
  return rows[0]
}

export type AbandonedBatch = Pick<Batch, 'batch_id' | 'attempts' | 'lease_until'> & { message_status: MessageStatus }

export async function lockAbandonedBatches(tx: Tx, limit: number, now: Date): Promise<AbandonedBatch[]> {
  const { rows } = await sql<AbandonedBatch>`
    select b.batch_id, b.attempts, b.lease_until, m.status as message_status
    from batches b join messages m on m.message_id = b.message_id
    where b.status = 'submitting' and b.lease_until < ${now}
    order by b.batch_id limit ${limit}
    for update of b skip locked`.execute(tx)
  return rows
}

export async function lockOverdueBatches(tx: Tx, limit: number, now: Date): Promise<OverdueBatch[]> {
  const { rows } = await sql<OverdueBatch>`
    select b.batch_id, b.message_id, b.claim, ${sql.raw(USERS)}
    from batches b join messages m on m.message_id = b.message_id
    where m.status in ('queued', 'sending') and m.expires_at <= ${now} and b.status in ('queued', 'waiting')
    order by b.batch_id limit ${limit}
    for update of b skip locked`.execute(tx)
  return rows
}
