import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { countOrEstimate, type Counted } from '../../platform/db/count.ts'
import type { Source } from '../../platform/db/one-message.ts'
import { containing } from '../../platform/lists/pattern.ts'
import {
  COUNT_NAMES,
  type Audience,
  type CountName,
  type MessageOrigin,
  type MessageStatus,
  type MessageType,
} from '../../platform/db/tables.ts'

/** A message with its counters, summed over their slots. */
export type MessageRow = { [Name in CountName]: number } & {
  message_id: number
  origin: MessageOrigin | null
  type: MessageType
  title: string
  body: string
  data: Record<string, unknown> | null
  audience: Audience
  status: MessageStatus
  pause_reason: string | null
  cursor_user_id: number
  last_user_id: number
  coordinated_at: Date | null
  open_batches: number
  sender_id: number | null
  sender_name: string | null
  created_at: Date
  started_at: Date | null
  completed_at: Date | null
  expires_at: Date
  updated_at: Date
}

export type CampaignFilter = {
  search?: string | undefined
  statuses?: MessageStatus[] | undefined
  audience?: Audience | undefined
  /** By when they were written, the end excluded. */
  from?: Date | undefined
  to?: Date | undefined
}

/** The columns that campaigns can be sorted by. */
export const CAMPAIGN_ORDERS = ['created_at', 'started_at', 'completed_at', 'title'] as const
export type CampaignOrder = { by: (typeof CAMPAIGN_ORDERS)[number]; direction: 'asc' | 'desc' }

/** A page of the promotional messages that match, and how many there are. Those without the moment sorted by come last. */
export async function listCampaigns(
  source: Source,
  filter: CampaignFilter,
  { perPage, offset, ...order }: CampaignOrder & { perPage: number; offset: number },
): Promise<{ rows: MessageRow[]; total: Counted }> {
  const matching = sql`from messages m where ${sql.join(conditionsOf(filter), sql` and `)}`
  const ordered = orderOf(order)
  const page = sql`select m.* ${matching} order by ${ordered} limit ${perPage} offset ${offset}`
  const [{ rows }, total] = await Promise.all([
    withCounts(page, ordered).execute(source.db),
    countOrEstimate(source, sql`select 1 ${matching}`),
  ])
  return { rows, total }
}

function conditionsOf({ search, statuses, audience, from, to }: CampaignFilter): RawBuilder<unknown>[] {
  const pattern = search === undefined ? '' : containing(search)
  return [
    sql`m.type = 'promotional'`,
    ...(search === undefined ? [] : [sql`(m.title ilike ${pattern} or m.body ilike ${pattern})`]),
    ...(statuses === undefined ? [] : [sql`m.status = any(${statuses})`]),
    ...(audience === undefined ? [] : [sql`m.audience = ${audience}`]),
    ...(from === undefined ? [] : [sql`m.created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`m.created_at < ${to}`]),
  ]
}

// An index is read backwards only when nulls stand where it has them: named only where there can be any.
function orderOf({ by, direction }: CampaignOrder): RawBuilder<unknown> {
  const way = sql.raw(direction)
  const nulls = sql.raw(by === 'started_at' || by === 'completed_at' ? 'nulls last' : '')
  const column = by === 'title' ? sql`lower(m.title)` : sql.ref(`m.${by}`)
  return sql`${column} ${way} ${nulls}, m.message_id ${way}`
}

/** The messages of these ids; those that do not exist are missing. */
export async function listMessages(db: Db, messageIds: number[]): Promise<MessageRow[]> {
  const chosen = sql`select * from messages where message_id = any(${messageIds}::bigint[])`
  return (await withCounts(chosen, sql`m.message_id`).execute(db)).rows
}

function withCounts(messages: RawBuilder<unknown>, order: RawBuilder<unknown>) {
  const sums = COUNT_NAMES.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::bigint as ${sql.ref(name)}`)
  return sql<MessageRow>`
    select m.message_id, m.origin, m.type, m.title, m.body, m.data, m.audience, m.status, m.pause_reason, m.cursor_user_id,
      m.last_user_id, m.coordinated_at, m.sender_id, u.name as sender_name, m.created_at, m.started_at, m.completed_at,
      m.expires_at, m.updated_at, c.*, b.*
    from (${messages}) m
    left join users u on u.user_id = m.sender_id
    cross join lateral (select ${sql.join(sums)} from message_counts where message_id = m.message_id) c
    cross join lateral (select count(*) as open_batches from batches
      where message_id = m.message_id and status in ('queued', 'submitting', 'waiting')) b
    order by ${order}`
}
