import { sql } from 'kysely'
import type { Runner, Tx } from '../../platform/db/connect.ts'
import { everyHome, valuesOr } from './home.queries.ts'
import type { ByWay } from './way-counts.queries.ts'

export const PROVIDER_COUNTS = ['accepted', 'delivered', 'failed', 'gone', 'opened'] as const
export type ProviderCounts = Record<(typeof PROVIDER_COUNTS)[number], number>

type Change = { messageId: number; byWay?: ByWay }

/**
 * A message to one person has no rows: its copies are counted when it is read. Where there are several homes, `changes`
 * are of others.
 */
export async function addProviderCounts(
  tx: Runner,
  home: number,
  changes: readonly Change[],
  slot: number,
): Promise<void> {
  const rows = sumByProvider(changes)
  if (rows.length === 0) return
  const columns = sql.join(PROVIDER_COUNTS.map((name) => sql.ref(name)))
  const additions = PROVIDER_COUNTS.map(
    (name) => sql`${sql.ref(name)} = p.${sql.ref(name)} + excluded.${sql.ref(name)}`,
  )
  await sql`
    insert into provider_counts as p (home, message_id, slot, provider, ${columns})
    ${valuesOr(
      sql`
        select ${home}, c.message_id, ${slot}, c.provider, ${columns}
        from json_populate_recordset(null::provider_counts, ${JSON.stringify(rows)}::json) c
        join messages m on m.message_id = c.message_id and m.recipient_id is null
        order by c.message_id, c.provider`,
      tx,
      rows,
      (row) => sql`
        (${home}, ${row.message_id}, ${slot}, ${row.provider},
          ${sql.join(PROVIDER_COUNTS.map((name) => row[name]))})`,
    )}
    on conflict (home, message_id, slot, provider) do update set ${sql.join(additions)}`.execute(tx)
}

export async function deleteProviderCounts(tx: Tx, messageIds: number[]): Promise<void> {
  await sql`
    delete from provider_counts
    where home in ${everyHome(tx)} and message_id = any(${messageIds}::bigint[])`.execute(tx)
}

function sumByProvider(changes: readonly Change[]) {
  const sums = new Map<string, { message_id: number; provider: string } & ProviderCounts>()
  for (const { messageId, byWay = new Map() } of changes)
    for (const [way, counts] of byWay) {
      const [provider = ''] = way.split(' ')
      const key = `${messageId} ${provider}`
      const zero = { accepted: 0, delivered: 0, failed: 0, gone: 0, opened: 0 }
      const sum = sums.get(key) ?? { message_id: messageId, provider, ...zero }
      for (const name of PROVIDER_COUNTS) sum[name] += counts[name] ?? 0
      sums.set(key, sum)
    }
  // One order keeps two writers from waiting for each other in a circle.
  return [...sums.values()]
    .filter((sum) => PROVIDER_COUNTS.some((name) => sum[name] !== 0))
    .toSorted((a, b) => a.message_id - b.message_id || (a.provider < b.provider ? -1 : 1))
}
