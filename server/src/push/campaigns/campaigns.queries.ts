import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { int8Array } from '../../platform/db/arrays.ts'
import type { Counted } from '../../platform/db/count.ts'
import { between, type List, type ListPage, type Order } from '../../platform/lists/list-rows.ts'
import { containing } from '../../platform/lists/pattern.ts'
import { findPage, type ListSource } from '../../platform/lists/search.queries.ts'
import { COUNT_NAMES, type Audience, type CountName, type MessageStatus } from '../../platform/tables/tables.ts'
import { readHeardHomes, theseHomes, toHome } from '../records/home.queries.ts'
import { readReportsToOne, selectProviderReports, type ProviderRow } from './provider-report.queries.ts'
import type { Message } from '../records/messages.queries.ts'

export type MessageFacts = Pick<
  Message,
  'message_id' | 'origin' | 'type' | 'title' | 'body' | 'data' | 'audience' | 'status' | 'sender_id' | 'created_at'
> & { sender_name: string | null }

export type MessageRow = Message &
  MessageFacts & { [Name in CountName]: number } & {
    open_batches: number
    notifications_deleted_at: Date | null
    providers: ProviderRow[]
    /** Where a server of these is away: the counts are of the others. */
    homes_not_counted?: number[]
  }

export type CampaignFilter = {
  search?: string | undefined
  statuses?: MessageStatus[] | undefined
  audience?: Audience | undefined
  /** The message was written between these times. The end is excluded. */
  from?: Date | undefined
  to?: Date | undefined
}

const ORDERS = {
  created_at: { keys: [sql`m.created_at`] },
  started_at: { keys: [sql`m.started_at`], nulls: 'last' },
  completed_at: { keys: [sql`m.completed_at`], nulls: 'last' },
  title: { keys: [sql`lower(m.title)`] },
} satisfies Record<string, Order>

type CampaignOrder = keyof typeof ORDERS

export const CAMPAIGN_ORDERS = Object.keys(ORDERS) as CampaignOrder[]

const CAMPAIGNS: List<CampaignFilter, CampaignOrder> = {
  table: 'messages',
  alias: 'm',
  id: 'message_id',
  orders: ORDERS,
  toConditions: ({ search, statuses, audience, from, to }) => [
    sql`m.type = 'promotional'`,
    search !== undefined && sql`(m.title ilike ${containing(search)} or m.body ilike ${containing(search)})`,
    statuses && sql`m.status = any(${statuses})`,
    audience && sql`m.audience = ${audience}`,
    ...between(sql`m.created_at`, from, to),
  ],
}

export async function listCampaigns(
  source: ListSource,
  filter: CampaignFilter,
  page: ListPage<CampaignOrder>,
): Promise<{ rows: MessageRow[]; total: Counted }> {
  const { ids, total } = await findPage(source, CAMPAIGNS, { filter, page })
  const chosen = sql`
    select m.*, chosen.place from unnest(${int8Array(ids)}::bigint[]) with ordinality chosen(message_id, place)
    join messages m on m.message_id = chosen.message_id`
  return { rows: await readWithCounts(source.db, ids, chosen, sql`m.place`), total }
}

export async function listMessages(db: Db, messageIds: number[]): Promise<MessageRow[]> {
  const chosen = sql`select * from messages where message_id = any(${int8Array(messageIds)}::bigint[])`
  return readWithCounts(db, messageIds, chosen, sql`m.message_id`)
}

async function readWithCounts(db: Db, ...chosen: Chosen): Promise<MessageRow[]> {
  const { found, lost } = await readHeardHomes(db, async (homes) => {
    const { rows } = await withCounts(homes, ...chosen).execute(db)
    const toOne = rows.flatMap(({ message_id: messageId, recipient_id: userId }) =>
      userId === null || !homes.includes(toHome(db, userId)) ? [] : [{ messageId, userId }],
    )
    const reports = await readReportsToOne(db, toOne)
    return rows.map((row) => ({ ...row, providers: reports.get(row.message_id) ?? row.providers }))
  })
  return lost.length === 0 ? found : found.map((row) => ({ ...row, homes_not_counted: lost }))
}

type Chosen = [messageIds: readonly number[], messages: RawBuilder<unknown>, order: RawBuilder<unknown>]

function withCounts(ofHomes: readonly number[], ...[messageIds, messages, order]: Chosen) {
  const sums = COUNT_NAMES.map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`)
  const counts = COUNT_NAMES.map((name) => sql`coalesce(c.${sql.ref(name)}, 0) as ${sql.ref(name)}`)
  const ids = sql`${int8Array(messageIds)}::bigint[]`
  const homes = theseHomes(ofHomes)
  return sql<MessageRow>`
    with open as materialized (
      select message_id, count(distinct batch_id) as batches from (
        select message_id, batch_id from work where home in ${homes} and message_id = any(${ids})
        union all
        select asked.id, unnest(r.batch_ids) from unnest(${ids}) asked(id)
        join requests r on r.home in ${homes} and r.outcome is null and asked.id = any(r.message_ids)) o
      group by message_id),
    counted as materialized (
      select message_id, ${sql.join(sums)} from message_counts
      where home in ${homes} and message_id = any(${ids}) group by message_id),
    ways as materialized (${selectProviderReports(homes, ids)})
    select m.*, u.name as sender_name, ${deletedSince()} as notifications_deleted_at, ${sql.join(counts)},
      coalesce(open.batches, 0) as open_batches, coalesce(ways.providers, '[]') as providers
    from (${messages}) m
    left join users u on u.user_id = m.sender_id
    left join open on open.message_id = m.message_id
    left join counted c on c.message_id = m.message_id
    left join ways on ways.message_id = m.message_id
    order by ${order}`
}

/** When the notifications of message `m` were deleted; null: they exist (ADR 17). */
export function deletedSince(): RawBuilder<Date | null> {
  return sql<Date | null>`(
    select l.let_go_at from lettings_go l where m.completed_at < l.made_before order by l.made_before limit 1)`
}
