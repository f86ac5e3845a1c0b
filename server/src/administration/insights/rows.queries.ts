import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { countOrEstimate } from '../../platform/db/count.ts'
import type { Source } from '../../platform/db/one-message.ts'
import type { PageBounds } from '../../platform/lists/pagination.ts'
import { COMPLETED_IN_30D, EVENTS, type EventName } from './buckets.queries.ts'

export type Behind =
  { of: EventRows; from: Date; to: Date } | { of: 'accounts'; state: 'active' | 'inactive'; at: Date } | UsersBehind

type UsersBehind = { of: UserRows; firstDay: number; lastDay: number; window: number }

/** These events have rows of their own. */
export type EventRows = Exclude<EventName, 'active_change' | 'inactive_change' | `pushes_${string}`>
export type UserRows = 'active' | 'added' | 'returning' | 'resurrected' | 'dormant' | 'engaged' | 'idle'

/** `at`: when it happened; `day`: the first of the days that count. One of them, or neither. */
export type RowBehind = { id: number; at: Date | null; day: string | null }

export async function listBehind(db: Db, behind: Behind, page: PageBounds): Promise<RowBehind[]> {
  const { rows } = await sql<RowBehind>`
    select id, at, day::text from (${selectRows(behind)}) r
    order by ${toOrder(behind)} limit ${page.perPage} offset ${page.offset}`.execute(db)
  return rows
}

export function countBehind(source: Source, behind: Behind) {
  return countOrEstimate(source, selectRows(behind), { plans: 'by any index' })
}

/** Each order is that of an index, so that a page needs no sort. */
function toOrder(behind: Behind) {
  if (behind.of === 'accounts' || behind.of === 'idle') return sql`id`
  return behind.of in EVENTS ? sql`at, id` : sql`r.day, id`
}

const IDS = { users: sql`user_id`, products: sql`product_id`, swaps: sql`swap_id`, swap_messages: sql`swap_message_id` }

function selectRows(behind: Behind): RawBuilder<unknown> {
  if (behind.of === 'accounts') return accountsAt(behind)
  if (!('from' in behind)) return selectUsers(behind)
  const { table, at } = EVENTS[behind.of]
  const counts = behind.of === 'requests_completed_in_30d' ? COMPLETED_IN_30D : sql`true`
  return sql`select ${IDS[table]} as id, ${at} as at, null::date as day from ${sql.table(table)}
    where ${at} >= ${behind.from} and ${at} < ${behind.to} and ${counts}`
}

function accountsAt({ state, at }: Behind & { of: 'accounts' }) {
  const condition = state === 'active' ? sql`s.state = 'active'` : sql`s.state not in ('active', 'deleted')`
  return sql`select u.user_id as id, null::timestamptz as at, null::date as day
    from users u cross join lateral (select ${stateAt(sql`u.user_id`, at)} as state) s
    where u.created_at < ${at} and ${condition}`
}

function selectUsers({ of, firstDay, lastDay, window }: UsersBehind) {
  const [first, last] = [toDate(firstDay), toDate(lastDay)]
  const within = sql`a.day between ${first} and ${last}`
  if (of === 'added') return activity(sql`${within} and a.gap = 9999`)
  if (of === 'resurrected') return activity(sql`${within} and a.gap > ${window}::int and a.gap <> 9999`)
  if (of === 'returning') return activity(sql`${within} and a.gap > a.day - ${first} and a.gap <= ${window}::int`)
  if (of === 'active') return activity(sql`${within} and a.gap > a.day - ${first}`)
  if (of === 'dormant')
    return activity(sql`a.day between ${first} - ${window}::int and ${last} - ${window}::int
      and ${notActive(sql`a.day + 1`, sql`a.day + ${window}::int`)}`)
  const end = sql`((${last} + 1)::timestamp at time zone 'UTC')`
  const isAccount = sql`${stateAt(sql`u.user_id`, end)} <> 'deleted'`
  if (of === 'engaged')
    return activity(sql`${within} and a.gap > a.day - ${first}
      and exists (select from users u where u.user_id = a.user_id and ${isAccount})`)
  return sql`select u.user_id as id, null::timestamptz as at, null::date as day from users u
    where u.created_at < ${end} and ${isAccount}
      and not exists (select from generate_series(${first}, ${last}, interval '1 day') d
        join user_activity_day l on l.day = d::date and l.user_id = u.user_id)`
}

/** The last change before `at` set this state. It is null before the first change. */
function stateAt(userId: RawBuilder<unknown>, at: Date | RawBuilder<unknown>) {
  return sql`(select c.to_state from account_changes c where c.user_id = ${userId} and c.at < ${at}
    order by c.at desc, c.place desc limit 1)`
}

/** It reads day by day, as the key begins with it and no index has the user alone. */
function notActive(first: RawBuilder<unknown>, last: RawBuilder<unknown>) {
  return sql`not exists (select from generate_series(${first}, ${last}, interval '1 day') d
    join user_activity_day l on l.day = d::date and l.user_id = a.user_id)`
}

function activity(where: RawBuilder<unknown>) {
  return sql`select a.user_id as id, null::timestamptz as at, a.day from user_activity_day a where ${where}`
}

function toDate(day: number) {
  return sql`(date '1970-01-01' + ${day}::int)`
}
