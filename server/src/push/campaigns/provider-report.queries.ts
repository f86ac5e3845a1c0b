import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { everyHome } from '../records/home.queries.ts'
import { PROVIDER_COUNTS, type ProviderCounts } from '../records/provider-counts.queries.ts'

export type ProviderRow = { provider: string } & ProviderCounts

const SUMS = sql.join(PROVIDER_COUNTS.map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`))

/** A row a message, with its `providers`. Of a message to one person the few copies are counted here. */
export function selectProviderReports(db: Db, ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select message_id, json_agg(to_json(one) order by provider) as providers
    from (
      select message_id, provider, ${SUMS} from provider_counts
      where home in ${everyHome(db)} and message_id = any(${ids}) group by message_id, provider
      union all
      select message_id, provider, count(*) filter (where is_send), count(*) filter (where is_delivered),
        count(*) filter (where is_delivered is not true and settled_at is not null),
        count(*) filter (
          where is_delivered is not true and settled_at is not null and error_message = 'DeviceNotRegistered'),
        count(*) filter (where is_open)
      from notifications
      where home in ${everyHome(db)} and message_id = any(array(
        select message_id from messages where message_id = any(${ids}) and recipient_id is not null))
      group by message_id, provider) one
    group by message_id`
}
