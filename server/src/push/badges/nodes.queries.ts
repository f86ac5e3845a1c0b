import { sql } from 'kysely'
import { asRows, int8Array } from '../../platform/db/arrays.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { blockSql, homeSql, placeSql } from '../records/home.queries.ts'
import type { Badge } from './badges.queries.ts'

const BLOCK = sql.raw(blockSql('p.user_id'))
const PLACE = sql.raw(placeSql('p.user_id'))

type Lease = { limit: number; now: Date; until: Date }

/** `attempts` counts this one; `etag` is that of the last write. */
export type DueWrite = Badge & { attempts: number; etag: string | null }

/**
 * Notes that their badges changed. It does not wait for a purge, and gives the people whom one holds, for whom nothing
 * is noted.
 */
export async function insertDue(tx: Tx, userIds: readonly number[], now: Date): Promise<number[]> {
  if (userIds.length === 0) return []
  const { rows } = await sql<{ user_id: number }>`
    with held as materialized (
      select user_id from users where user_id = any(${int8Array(userIds)}::bigint[])
      order by user_id for key share skip locked),
    due as (
      insert into badge_nodes as n (user_id, due_at)
      select user_id, ${now}::timestamptz from held order by user_id
      on conflict (user_id) do update set due_at = excluded.due_at)
    select user_id from users
    where user_id = any(${int8Array(userIds)}::bigint[]) and user_id not in (select user_id from held)`.execute(tx)
  return rows.map((row) => row.user_id)
}

export async function claimWrites(db: Db, { limit, now, until }: Lease): Promise<DueWrite[]> {
  const { rows } = await sql<DueWrite>`
    with due as (
      select user_id from badge_nodes where due_at <= ${now} order by due_at limit ${limit} for update skip locked),
    held as materialized (
      select p.user_id, (extract(epoch from u.changed_at) * 1000)::bigint as version,
        u.entries[${PLACE} + 1] as notifications, u.lines[${PLACE} + 1] as lines
      from due p join unread u on u.home = ${homeSql(db, 'p.user_id')} and u.block = ${BLOCK}),
    badges as materialized (
      select h.*, (
        select coalesce(jsonb_object_agg(swap_id, unread), '{}') from chat_sides c
        where c.user_id = h.user_id and unread > 0) as chats
      from held h)
    update badge_nodes n set due_at = ${until}, begun_version = b.version, attempts = least(n.attempts + 1, 32767)
    from badges b where n.user_id = b.user_id
    returning n.user_id as "userId", b.version, b.notifications, b.chats, b.notifications + b.lines as total,
      n.attempts,
      n.etag`.execute(db)
  return rows
}

/** `dueAt`: when it is tried again. */
export type NodeWrite = { userId: number; version: number; etag: string | null; isDone: boolean; dueAt: Date }

/**
 * A node that became due again meanwhile, or that another claimed after the lease, stays due. Nodes are locked in the
 * order of ids.
 */
export async function settleWrites(db: Db, writes: readonly NodeWrite[], lease: Date): Promise<void> {
  if (writes.length === 0) return
  const columns = {
    userId: 'bigint',
    version: 'bigint',
    etag: 'text',
    isDone: 'boolean',
    dueAt: 'timestamptz',
  } as const
  const userIds = int8Array(writes.map(({ userId }) => userId))
  await sql`
    with held as materialized (
      select user_id from badge_nodes where user_id = any(${userIds}::bigint[]) order by user_id for no key update)
    update badge_nodes n set
      written_version = case when w.done then greatest(n.written_version, w.version) else n.written_version end,
      etag = case when w.done then w.etag else n.etag end,
      attempts = case when w.done then 0 else n.attempts end,
      due_at = case when n.due_at is distinct from ${lease} or n.begun_version <> w.version then n.due_at
        when not w.done then w.due_at end
    from held join ${asRows(writes, columns)} as w(user_id, version, etag, done, due_at) using (user_id)
    where n.user_id = held.user_id`.execute(db)
}

export async function claimRemovals(
  db: Db,
  { limit, now, until }: Lease,
): Promise<{ userId: number; attempts: number }[]> {
  const { rows } = await sql<{ userId: number; attempts: number }>`
    with due as (
      select user_id from badge_removals where due_at <= ${now} order by due_at limit ${limit} for update skip locked)
    update badge_removals r set due_at = ${until}, attempts = least(r.attempts + 1, 32767)
    from due where r.user_id = due.user_id
    returning r.user_id as "userId", r.attempts`.execute(db)
  return rows
}

export async function settleRemovals(
  db: Db,
  removals: readonly { userId: number; isDone: boolean; dueAt: Date }[],
): Promise<void> {
  if (removals.length === 0) return
  const [done, open] = [removals.filter(({ isDone }) => isDone), removals.filter(({ isDone }) => !isDone)]
  await sql`
    with gone as (
      delete from badge_removals where user_id = any(${int8Array(done.map(({ userId }) => userId))}::bigint[]))
    update badge_removals r set due_at = o.due_at
    from ${asRows(open, { userId: 'bigint', dueAt: 'timestamptz' })} as o(user_id, due_at)
    where r.user_id = o.user_id`.execute(db)
}

/** They are written again, whatever the realtime database has; only those that are not due. Gives how many. */
export async function renewNodes(db: Db, userIds: readonly number[], now: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into badge_nodes as n (user_id, due_at)
    select user_id, ${now}::timestamptz from users where user_id = any(${int8Array(userIds)}::bigint[]) order by user_id
    on conflict (user_id) do update set due_at = ${now}, etag = null where n.due_at is null`.execute(db)
  return Number(numAffectedRows)
}

/** The nodes of purged people are removed from the realtime database, after a running write. */
export async function forgetNodes(tx: Tx, userIds: readonly number[], now: Date): Promise<void> {
  await sql`
    insert into badge_removals (user_id, due_at)
    select user_id, coalesce(due_at, ${now}::timestamptz) from badge_nodes
    where user_id = any(${int8Array(userIds)}::bigint[]) and begun_version > 0
    on conflict do nothing`.execute(tx)
}
