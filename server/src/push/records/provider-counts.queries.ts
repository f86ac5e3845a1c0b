import { sql } from 'kysely'
import type { Runner, Tx } from '../../platform/db/connect.ts'
import { everyHome, messagesIn, valuesOr } from './home.queries.ts'
import { additions, sumRows } from './sums.queries.ts'
import type { ByWay } from './way-counts.queries.ts'

export const PROVIDER_COUNTS = ['accepted', 'delivered', 'failed', 'gone', 'opened'] as const
export type ProviderCounts = Record<(typeof PROVIDER_COUNTS)[number], number>

const COLUMNS = sql.raw(PROVIDER_COUNTS.join(', '))

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
  // One order keeps two writers from waiting for each other in a circle.
  const rows = sumRows(changes.flatMap(listByProvider), PROVIDER_COUNTS).toSorted(
    (a, b) => a.message_id - b.message_id || (a.provider < b.provider ? -1 : 1),
  )
  if (rows.length === 0) return
  await sql`
    insert into provider_counts as p (home, message_id, slot, provider, ${COLUMNS})
    ${valuesOr(
      sql`
        select ${home}, c.message_id, ${slot}, c.provider, ${COLUMNS}
        from json_populate_recordset(null::provider_counts, ${JSON.stringify(rows)}::json) c
        join ${messagesIn(tx, home)} m on m.message_id = c.message_id and m.recipient_id is null
        order by c.message_id, c.provider`,
      tx,
      rows,
      (row) => sql`
        (${home}, ${row.message_id}, ${slot}, ${row.provider},
          ${sql.join(PROVIDER_COUNTS.map((name) => row[name]))})`,
    )}
    on conflict (home, message_id, slot, provider) do update set ${additions('p', PROVIDER_COUNTS)}`.execute(tx)
}

export async function deleteProviderCounts(tx: Tx, messageIds: number[]): Promise<void> {
  await sql`
    delete from provider_counts
    where home in ${everyHome(tx)} and message_id = any(${messageIds}::bigint[])`.execute(tx)
}

function listByProvider({ messageId, byWay = new Map() }: Change) {
  return Array.from(byWay, ([way, added]) => ({
    row: { message_id: messageId, provider: way.split(' ')[0] ?? '' },
    added,
  }))
}
