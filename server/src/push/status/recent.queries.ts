import { sql } from 'kysely'
import { inOneMessage, unlessTooLong, type Source } from '../../platform/db/one-message.ts'
import { IDS_A_GROUP, listUsedIdStarts } from '../../platform/db/homes.ts'
import { everyHome } from '../records/home.queries.ts'

/** The newest requests that are looked at. Ids of one server are in the order of time, those of two are not. */
const REQUESTS = 500
const PATIENCE_MS = 500

/** `failed` counts those of `requests` without an accepted push, by code, the latest first. */
export type Recent = { provider: string; lastSuccess: Date | null; requests: number; failed: Failed[] }
type Failed = { code: string; requests: number; last: string }

/** The last answers of each provider; `since`: from when on requests count. Undefined: it takes too long to know. */
export async function findRecent(source: Source, since: Date): Promise<Recent[] | undefined> {
  const starts = await listUsedIdStarts(source.db)
  const ofServers = starts.map(
    (start) => sql`(
      select provider, outcome, code, started_at, settled_at from requests
      where home in ${everyHome(source.pool)} and outcome is not null
        and request_id >= ${start}::bigint and request_id < ${start + IDS_A_GROUP}::bigint
      order by request_id desc limit ${REQUESTS})`,
  )
  const answers = sql`
    with answered as materialized (${sql.join(ofServers, sql` union all `)}),
    newest as (select * from answered order by started_at desc limit ${REQUESTS})
    select n.provider, max(n.settled_at) filter (where n.outcome = 'accepted') as "lastSuccess",
      count(*) filter (where n.started_at >= ${since}::timestamptz)::int as requests,
      coalesce((select jsonb_agg(failed order by last desc) from (
        select coalesce(code, 'UnknownError') as code, count(*) as requests, max(settled_at) as last from newest f
        where f.provider = n.provider and f.outcome <> 'accepted' and f.started_at >= ${since}::timestamptz
          group by 1) failed),
        '[]') as failed
    from newest n group by n.provider`
  const options = { name: 'findRecent', patienceMs: PATIENCE_MS }
  const found = await unlessTooLong(inOneMessage(source, [answers], options))
  return found?.[0] as Recent[] | undefined
}
