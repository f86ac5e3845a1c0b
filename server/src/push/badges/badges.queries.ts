import { sql } from 'kysely'
import { asRows, int8Array } from '../../platform/db/arrays.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { countedBadges, listOf, type BadgeCounts } from './counting.queries.ts'

export type Badge = BadgeCounts & { version: number }

// The limit of `badge_marks.user_ids`.
const USERS_PER_MARK = 250
const MARKS_A_ROUND = 500
const VERSION = { userId: 'bigint', version: 'bigint' } as const

export async function insertMarks(
  tx: Db | Tx,
  userIds: readonly number[],
  { isUrgent }: { isUrgent: boolean },
): Promise<void> {
  await sql`
    insert into badge_marks (urgent, user_ids)
    select ${isUrgent}::boolean, array_agg(user_id)
    from (
      select user_id, row_number() over (order by user_id) as place
      from (select distinct user_id from unnest(${int8Array(userIds)}::bigint[]) user_id) listed) placed
    group by (place - 1) / ${USERS_PER_MARK}`.execute(tx)
}

/** Removes the oldest marks, of about `users` users, and returns these once each; skips locked marks. */
export async function takeMarks(tx: Tx, { isUrgent, users }: { isUrgent: boolean; users: number }): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    with next as materialized (
      select mark_id, user_ids from badge_marks where urgent = ${isUrgent}
      order by mark_id limit ${MARKS_A_ROUND} for update skip locked),
    taken as (
      select mark_id, user_ids from (
        select *, sum(cardinality(user_ids)) over (order by mark_id) - cardinality(user_ids) as before from next) n
      where before < ${users}),
    gone as (
      delete from badge_marks where urgent = ${isUrgent} and mark_id = any(array(select mark_id from taken)))
    select distinct user_id from taken cross join unnest(user_ids) user_id order by user_id`.execute(tx)
  return rows.map((row) => row.user_id)
}

/** Makes missing rows and locks all in the order of ids, so that each count sees all earlier changes. */
export async function lockBadges(tx: Tx, userIds: readonly number[], now: Date): Promise<void> {
  const ids = int8Array(userIds)
  await sql`
    insert into badges (user_id, updated_at)
    select u.user_id, ${now}::timestamptz from users u
    where u.user_id = any(${ids}::bigint[]) and not exists (select 1 from badges b where b.user_id = u.user_id)
    order by u.user_id
    on conflict do nothing`.execute(tx)
  await sql`select from badges where user_id = any(${ids}::bigint[]) order by user_id for update`.execute(tx)
}

/** Stores the changed counts of locked rows; with `isWritten` they become due for the realtime database. */
export async function storeCounts(
  tx: Tx,
  userIds: readonly number[],
  { isWritten, now }: { isWritten: boolean; now: Date },
): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    with ${countedBadges(listOf(userIds))}
    update badges b set notifications = c.notifications, chats = c.chats, total = c.total,
      version = greatest(b.version + 1, ${now.getTime()}::bigint), updated_at = ${now},
      write_due_at = case when ${isWritten}::boolean then coalesce(b.write_due_at, ${now}::timestamptz)
        else b.write_due_at end
    from counted c
    where b.user_id = c.user_id
      and (b.version = 0 or (b.notifications, b.total, b.chats) is distinct from (c.notifications, c.total, c.chats))
    returning b.user_id`.execute(tx)
  return rows.map((row) => row.user_id)
}

export async function listBadges(db: Db, userIds: readonly number[]): Promise<Badge[]> {
  const { rows } = await sql<Badge>`
    select user_id as "userId", version, notifications, chats, total
    from badges where user_id = any(${int8Array(userIds)}::bigint[])`.execute(db)
  return rows
}

/** The rows are deleted with the account. A worker removes the node of the realtime database after a running write. */
export async function forgetBadges(tx: Tx, userIds: readonly number[]): Promise<void> {
  const ids = int8Array(userIds)
  await sql`
    insert into badge_removals (user_id, due_at)
    select user_id, coalesce(write_due_at, updated_at) from badges
    where user_id = any(${ids}::bigint[]) and begun_version > 0
    on conflict do nothing`.execute(tx)
  await sql`
    update badge_marks
    set user_ids = array(select case when id = any(${ids}::bigint[]) then 0 else id end from unnest(user_ids) id)
    where user_ids && ${ids}::bigint[]`.execute(tx)
  const { rows } = await sql<{ user_id: number }>`
    select distinct c.user_id
    from swaps s join chat_sides c on c.swap_id = s.swap_id and c.unread > 0
    where s.requester_id = any(${ids}::bigint[]) or s.owner_id = any(${ids}::bigint[])`.execute(tx)
  await insertMarks(
    tx,
    rows.map((row) => row.user_id).filter((userId) => !userIds.includes(userId)),
    { isUrgent: false },
  )
}

export async function listNewerBadges(db: Db, known: readonly { userId: number; version: number }[]): Promise<Badge[]> {
  if (known.length === 0) return []
  const { rows } = await sql<Badge>`
    select b.user_id as "userId", b.version, b.notifications, b.chats, b.total
    from ${asRows(known, VERSION)} k(user_id, version)
    join badges b on b.user_id = k.user_id and b.version > k.version`.execute(db)
  return rows
}

type Lease = { limit: number; now: Date; until: Date }

/** `attempts` counts this one; `etag` is that of the last write. */
export type DueWrite = Badge & { updatedAt: Date; attempts: number; etag: string | null }

export async function claimWrites(db: Db, { limit, now, until }: Lease): Promise<DueWrite[]> {
  const { rows } = await sql<DueWrite>`
    with due as (
      select user_id from badges where write_due_at <= ${now}
      order by write_due_at limit ${limit} for update skip locked)
    update badges b set write_due_at = ${until}, begun_version = b.version,
      write_attempts = least(b.write_attempts + 1, 32767)
    from due where b.user_id = due.user_id
    returning b.user_id as "userId", b.version, b.notifications, b.chats, b.total, b.updated_at as "updatedAt",
      b.write_attempts as attempts, b.etag`.execute(db)
  return rows
}

/** A badge that changed meanwhile is due at once. A late worker's version is never above the stored one. */
export async function settleWrites(
  db: Db,
  writes: readonly { userId: number; version: number; etag: string | null; isDone: boolean; dueAt: Date }[],
  now: Date,
): Promise<void> {
  if (writes.length === 0) return
  await sql`
    update badges b set
      written_version = case when w.done then greatest(b.written_version, w.version) else b.written_version end,
      etag = case when w.done then w.etag else b.etag end,
      write_attempts = case when w.done then 0 else b.write_attempts end,
      write_due_at = case when not w.done then w.due_at when b.version > w.version then ${now}::timestamptz end
    from ${asRows(writes, { ...VERSION, etag: 'text', isDone: 'boolean', dueAt: 'timestamptz' })}
      as w(user_id, version, etag, done, due_at)
    where b.user_id = w.user_id`.execute(db)
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

/** Renews only badges that still have the checked version; returns how many. */
export async function renewBadges(
  db: Db,
  badges: readonly { userId: number; version: number }[],
  now: Date,
): Promise<number> {
  if (badges.length === 0) return 0
  const { numAffectedRows } = await sql`
    update badges b set version = greatest(b.version + 1, ${now.getTime()}::bigint), updated_at = ${now},
      write_due_at = ${now}, etag = null
    from ${asRows(badges, VERSION)} k(user_id, version)
    where b.user_id = k.user_id and b.version = k.version`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
