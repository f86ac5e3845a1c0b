import { sql } from 'kysely'
import { asRows } from '../../platform/db/arrays.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { HOME } from '../records/home.queries.ts'

/** `place`: the key's among those asked about. */
export type Latest = {
  place: number
  messageId: number
  startedAt: Date
  merges: number
  /** No worker has claimed it, and none will before this transaction ends. */
  waits: boolean
}

export async function listLatestOfKeys(tx: Tx, keys: { recipientId: number; mergeKey: string }[]): Promise<Latest[]> {
  const { rows } = await sql<Latest>`
    select (k.place - 1)::int as place, m.message_id as "messageId", m.started_at as "startedAt", m.merges,
      w.work_id is not null as waits
    from ${asRows(keys, { recipientId: 'bigint', mergeKey: 'text' })}
      with ordinality as k(recipient_id, merge_key, place)
    cross join lateral (
      select message_id, started_at, merges from messages
      where recipient_id = k.recipient_id and merge_key = k.merge_key order by started_at desc limit 1
      for no key update) m
    left join lateral (
      select work_id from work where home = ${HOME} and message_id = m.message_id and provider is null limit 1 for update) w on true`.execute(
    tx,
  )
  return rows
}
