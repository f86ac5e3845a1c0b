import { sql, type RawBuilder } from 'kysely'
import { asRows } from '../../platform/db/arrays.ts'
import type { Db } from '../../platform/db/connect.ts'
import { copiesFor } from '../ledger/person.queries.ts'
import { groupByHome } from '../records/home.queries.ts'
import { PROVIDER_COUNTS, type ProviderCounts } from '../records/provider-counts.queries.ts'

export type ProviderRow = { provider: string } & ProviderCounts

type ToOne = { messageId: number; userId: number }

const SUMS = sql.join(PROVIDER_COUNTS.map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`))

/** A row a message to several people, with its `providers`. */
export function selectProviderReports(homes: RawBuilder<unknown>, ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select message_id, json_agg(to_json(one) order by provider) as providers
    from (
      select message_id, provider, ${SUMS} from provider_counts
      where home in ${homes} and message_id = any(${ids}) group by message_id, provider) one
    group by message_id`
}

/**
 * Reports messages to one person from their few copies, because they have no counts by provider. It is a statement of
 * its own: in that of campaigns the planner would expect thousands of copies and read all reactions.
 */
export async function readReportsToOne(db: Db, messages: readonly ToOne[]): Promise<Map<number, ProviderRow[]>> {
  const found: ({ message_id: number } & ProviderRow)[] = []
  for (const [home, own] of groupByHome(db, messages, ({ userId }) => userId)) {
    const { rows } = await sql<{ message_id: number } & ProviderRow>`
      select n.message_id, n.provider, count(*) filter (where n.is_send) as accepted,
        count(*) filter (where n.is_delivered) as delivered, count(*) filter (where ${FAILED}) as failed,
        count(*) filter (where ${FAILED} and n.error_message = 'DeviceNotRegistered') as gone,
        count(*) filter (where n.is_open) as opened
      from ${asRows(own, { messageId: 'bigint', userId: 'bigint' })} one(message_id, user_id)
      cross join lateral ${copiesFor(home, sql`one.user_id`, sql`one.message_id`)} n
      group by n.message_id, n.provider order by n.provider`.execute(db)
    found.push(...rows)
  }
  return Map.groupBy(found, (row) => row.message_id)
}

const FAILED = sql`n.is_delivered is not true and n.settled_at is not null`
