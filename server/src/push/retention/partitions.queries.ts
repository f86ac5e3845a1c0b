import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'
import type { Tables } from '../../platform/tables/tables.ts'

/** The copies of messages that were made in a stretch of time (ADR 051). */
export type Partition = Selectable<Tables['notification_partitions']>

// A waiting table lock blocks everybody behind it, so the wait is short.
const LOCK_MS = 100
const DEFAULT_PART = 'notifications_first'
const BOUND = sql.ref('notifications_bound')

export async function listPartitions(db: Db | Tx): Promise<Partition[]> {
  return db
    .selectFrom('notification_partitions')
    .selectAll()
    .orderBy(sql`made_from nulls first`)
    .execute()
}

/** One process at a time changes it. No statement of `tx` waits long for a table. */
export async function lockPartition(tx: Tx, name: string): Promise<Partition | undefined> {
  await sql`select set_config('lock_timeout', ${`${LOCK_MS}ms`}, true)`.execute(tx)
  return tx.selectFrom('notification_partitions').selectAll().where('name', '=', name).forUpdate().executeTakeFirst()
}

/** The rows that it has are not looked at yet. */
export async function boundPartition(tx: Tx, { name, made_from }: Partition, to: Date): Promise<void> {
  const isBefore = sql`message_at < ${timeOf(to)}`
  const isOfPartition =
    made_from === null
      ? sql`message_at is null or ${isBefore}`
      : sql`message_at is not null and message_at >= ${timeOf(made_from)} and ${isBefore}`
  await unboundPartition(tx, name)
  await sql`alter table ${sql.table(name)} add constraint ${BOUND} check (${isOfPartition}) not valid`.execute(tx)
}

/** Reads the rows while others write to them. */
export async function proveBound(db: Db | Tx, name: string): Promise<void> {
  await sql`alter table ${sql.table(name)} validate constraint ${BOUND}`.execute(db)
}

export async function unboundPartition(tx: Db | Tx, name: string): Promise<void> {
  await sql`alter table ${sql.table(name)} drop constraint if exists ${BOUND}`.execute(tx)
}

/** The bound at `to` was proved, so PostgreSQL reads no row. */
export async function splitOpenPartition(tx: Tx, { name, made_from }: Partition, { to, next }: SplitAt): Promise<void> {
  if (made_from !== null) {
    await sql`alter table notifications detach partition ${sql.table(name)}`.execute(tx)
    await attach(tx, name, { from: made_from, to })
  }
  await createTable(tx, next)
  await attach(tx, next, { from: to, to: null })
  await unboundPartition(tx, name)
  await tx.updateTable('notification_partitions').set({ made_to: to }).where('name', '=', name).execute()
  await tx.insertInto('notification_partitions').values({ name: next, made_from: to }).execute()
}

export type SplitAt = { to: Date; next: string }

async function attach(tx: Tx, name: string, { from, to }: { from: Date; to: Date | null }): Promise<void> {
  const end = to === null ? sql`maxvalue` : timeOf(to)
  await sql`
    alter table notifications attach partition ${sql.table(name)}
    for values from (${timeOf(from)}) to (${end})`.execute(tx)
}

/** With the two unique keys that each partition has of its own; the others come with its attachment. */
async function createTable(tx: Tx, name: string): Promise<void> {
  const table = sql.table(name)
  await sql`
    create table ${table} (like notifications including defaults including constraints)
    with (fillfactor = 40)`.execute(tx)
  await sql`alter table ${table} add primary key (user_id, notification_id)`.execute(tx)
  await sql`create unique index on ${table} (user_id, message_id, mobile_devices_id)`.execute(tx)
}

export async function findUnfinished(tx: Db | Tx, { made_from, made_to }: Partition): Promise<number | undefined> {
  const { rows } = await sql<{ message_id: number }>`
    select message_id from messages
    where status in ('queued', 'sending', 'paused') and created_at < ${made_to}::timestamptz
      and created_at >= coalesce(${made_from}::timestamptz, '-infinity')
    order by created_at, message_id limit 1`.execute(tx)
  return rows[0]?.message_id
}

export async function holdPartition(tx: Tx, name: string, messageId: number | null): Promise<void> {
  await tx.updateTable('notification_partitions').set({ held_by: messageId }).where('name', '=', name).execute()
}

/** Its table is still there. In the place of the first comes an empty one. */
export async function detachPartition(tx: Tx, { name, made_from }: Partition, now: Date): Promise<void> {
  await sql`alter table notifications detach partition ${sql.table(name)}`.execute(tx)
  if (made_from === null) {
    await createTable(tx, `${DEFAULT_PART}_next`)
    await sql`alter table notifications attach partition ${sql.table(`${DEFAULT_PART}_next`)} default`.execute(tx)
  }
  await tx
    .updateTable('notification_partitions')
    .set({ let_go_at: now, held_by: null })
    .where('name', '=', name)
    .execute()
}

/** In the order of their ids; it remembers how far they go. */
export async function takeUnreadUsers(tx: Tx, { name, counted_to }: Partition, limit: number): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select distinct user_id from ${sql.table(name)}
    where user_id > ${counted_to} and not is_open and deleted_at is null
    order by user_id limit ${limit}`.execute(tx)
  const userIds = rows.map((row) => row.user_id)
  const last = userIds.at(-1)
  if (last !== undefined)
    await tx.updateTable('notification_partitions').set({ counted_to: last }).where('name', '=', name).execute()
  return userIds
}

export async function dropPartition(tx: Tx, name: string, now: Date): Promise<void> {
  await sql`drop table if exists ${sql.table(name)}`.execute(tx)
  await tx
    .updateTable('notification_partitions')
    .set({ dropped_at: now, counted_to: 0 })
    .where('name', '=', name)
    .execute()
}

/** For the planner: autovacuum looks at each partition alone. */
export async function analyzePartitions(db: Db): Promise<void> {
  await sql`analyze notifications`.execute(db)
}

/** The estimated number of rows; deleted tables are absent. */
export async function measurePartitions(
  db: Db,
  names: string[],
): Promise<Map<string, { bytes: number; rows: number }>> {
  const { rows } = await sql<{ name: string; bytes: number; rows: number }>`
    select relname as name, pg_total_relation_size(oid) as bytes, greatest(reltuples, 0)::bigint as rows
    from pg_class where relkind = 'r' and relname = any(${names}::text[]) and pg_table_is_visible(oid)`.execute(db)
  return new Map(rows.map(({ name, ...size }) => [name, size]))
}

/** Reads all of them. */
export async function countRowsBefore(
  db: Db,
  before: Date,
): Promise<{ batches: number; submissions: number; skips: number }> {
  const { rows } = await sql<{ batches: number; submissions: number; skips: number }>`
    select (select count(*) from batches where created_at < ${before}) as batches,
      (select count(*) from submissions where started_at < ${before}) as submissions,
      (select count(*) from skips where created_at < ${before}) as skips`.execute(db)
  return must(rows[0], 'count of old rows')
}

// As a constant: a definition takes no parameters.
function timeOf(moment: Date) {
  return sql`${sql.lit(moment.toISOString())}::timestamptz`
}
