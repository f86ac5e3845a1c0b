import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { between, joinWithAnd } from '../../platform/lists/list-rows.ts'
import { containing } from '../../platform/lists/pattern.ts'
import type { MessageType, SkipReason } from '../../platform/tables/tables.ts'
import { toBlock, toHome } from '../records/home.queries.ts'
import { UNFINISHED } from '../records/statuses.queries.ts'
import { selectEntries } from '../ledger/person.queries.ts'
import { deletedSince, type MessageFacts } from './campaigns.queries.ts'
import { must } from '../../platform/shared/must.ts'

export const OUTCOMES = ['notified', 'skipped', 'waiting'] as const
type UserOutcome = (typeof OUTCOMES)[number]

export type UserMessageRow = MessageFacts & {
  outcome: UserOutcome
  skip_reason: SkipReason | null
  skipped_at: Date | null
}

export type UserMessageFilter = {
  search?: string | undefined
  type?: MessageType | undefined
  outcome?: UserOutcome | undefined
  from?: Date | undefined
  to?: Date | undefined
}

export async function userExists(db: Db, userId: number): Promise<boolean> {
  const row = await db.selectFrom('users').select('user_id').where('user_id', '=', userId).executeTakeFirst()
  return row !== undefined
}

/** Gives a page of the messages that selected a user, and how many there are in all. */
export async function listUserMessages(
  db: Db,
  userId: number,
  filter: UserMessageFilter,
  page: { perPage: number; offset: number; direction: 'asc' | 'desc' },
): Promise<{ rows: UserMessageRow[]; total: number }> {
  const way = sql.raw(page.direction)
  const { rows } = await sql<(UserMessageRow | Record<keyof UserMessageRow, null>) & { total: number }>`
    ${found(toHome(db, userId), userId)},
    fitting as materialized (
      select t.*, m.created_at from found t join messages m on m.message_id = t.message_id
      where ${toConditions(filter)})
    select counted.total, page.* from (select count(*) as total from fitting) counted left join (
      select m.message_id, m.origin, m.type, m.title, m.body, m.data, m.audience, m.status, m.sender_id,
        s.name as sender_name, m.created_at, t.outcome, t.skip_reason, t.skipped_at
      from (
        select * from fitting
        order by created_at ${way}, message_id ${way} limit ${page.perPage} offset ${page.offset}) t
      join messages m on m.message_id = t.message_id
      left join users s on s.user_id = m.sender_id) page on true
    order by page.created_at ${way}, page.message_id ${way}`.execute(db)
  return { rows: rows.filter((row) => row.message_id !== null), total: must(rows[0], 'count of messages').total }
}

/** The moment from which on all messages have their notifications; null: none was deleted. */
export async function findKeptFrom(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ kept_from: Date | null }>`
    select max(made_before) as kept_from from lettings_go`.execute(db)
  return rows[0]?.kept_from ?? null
}

// Only this many of the newest unfinished messages to several people are searched.
const UNFINISHED_MAX = 1_000

/** It stands in a `with`: every message that selected a user, once. Without copy or skip it waits for them, or was
 * stopped. */
function found(home: number, userId: number): RawBuilder<unknown> {
  return sql`
    with person as (select user_id, deleted_at, is_test_user from users where user_id = ${userId}),
    notified as (select message_id from ${selectEntries(home, sql`${userId}::bigint`)} e where has_copy),
    skipped as (
      select message_id, reason, created_at from skips
      where home = ${home} and block = ${toBlock(userId)} and ${userId}::bigint = any(user_ids)),
    unfinished as (
      select message_id, audience, last_user_id from messages
      where status in ${UNFINISHED} and recipient_id = ${userId}
      union all (
      select message_id, audience, last_user_id from messages
      where status in ${UNFINISHED} and recipient_id is null
      order by message_id desc limit ${UNFINISHED_MAX})),
    unreached as (
      select u.message_id, 'waiting' as outcome, null as skip_reason, null::timestamptz as skipped_at
      from unfinished u cross join person p
      where case when u.audience = 'users'
        then exists (
          select from work w join batches b on b.home = ${home} and b.batch_id = w.batch_id
          where w.home = ${home} and w.message_id = u.message_id and w.provider is null
            and array_position(b.user_ids, p.user_id) - 1 = any(w.places))
        else p.user_id <= u.last_user_id and p.deleted_at is null and (u.audience = 'all' or p.is_test_user) end
      union all
      select m.message_id, 'skipped', 'stopped', m.completed_at
      from messages m cross join person p
      where m.audience <> 'users' and m.status = 'stopped' and p.user_id <= m.last_user_id
        and ${deletedSince()} is null
        and (p.deleted_at is null or p.deleted_at > m.completed_at) and (m.audience = 'all' or p.is_test_user)),
    found as (
      select message_id, 'notified' as outcome, null as skip_reason, null::timestamptz as skipped_at from notified
      union all
      select message_id, 'skipped', reason, created_at from skipped
      where message_id not in (select message_id from notified)
      union all
      select * from unreached
      where message_id not in (select message_id from notified) and message_id not in (select message_id from skipped))`
}

function toConditions({ search, type, outcome, from, to }: UserMessageFilter): RawBuilder<unknown> {
  const pattern = search === undefined ? '' : containing(search)
  return joinWithAnd([
    search !== undefined && sql`(m.title ilike ${pattern} or m.body ilike ${pattern})`,
    type && sql`m.type = ${type}`,
    outcome && sql`t.outcome = ${outcome}`,
    ...between(sql`m.created_at`, from, to),
  ])
}
