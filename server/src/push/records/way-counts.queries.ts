import { sql } from 'kysely'
import type { Db, Runner, Tx } from '../../platform/db/connect.ts'
import { everyHome } from './home.queries.ts'
import { additions, sumRows } from './sums.queries.ts'

export const NO_WAY_COUNTS = { accepted: 0, delivered: 0, failed: 0, refused: 0, gone: 0, opened: 0 }
export type WayCounts = Record<keyof typeof NO_WAY_COUNTS, number>
export const WAY_COUNTS = Object.keys(NO_WAY_COUNTS) as (keyof WayCounts)[]

/** What became of copies, by the word of their way: provider, platform, and the provider of another address, if any. */
export type ByWay = ReadonlyMap<string, Partial<WayCounts>>

/** An open of a message, whose copies went by these ways, opens each copy. */
export function countOpened(ways: readonly string[]): { opened: number; byWay: ByWay } {
  const own = Map.groupBy(ways, (way) => way)
  return { opened: ways.length, byWay: new Map(Array.from(own, ([way, { length }]) => [way, { opened: length }])) }
}

/** Counts phones with two addresses. `accepted`: what is known to be handed over, for Expo by a receipt. */
export type PairCounts = { provider: string; other: string } & Record<(typeof PAIR_COUNTS)[number], number>

const PAIR_COUNTS = ['accepted', 'refused', 'gone', 'opened'] as const

/** Adds what became of copies for phones with two addresses. */
export async function addWayCounts(
  tx: Runner,
  home: number,
  changes: readonly { byWay?: ByWay }[],
  slot: number,
): Promise<void> {
  const rows = sumRows(changes.flatMap(listByPair), PAIR_COUNTS)
  if (rows.length === 0) return
  await sql`
    insert into way_counts as w (home, provider, other, slot, accepted, refused, gone, opened)
    select ${home}, c.provider, c.other, ${slot}, c.accepted, c.refused, c.gone, c.opened
    from json_populate_recordset(null::way_counts, ${JSON.stringify(rows)}::json) c
    order by c.provider, c.other
    on conflict (home, provider, other, slot) do update set ${additions('w', PAIR_COUNTS)}`.execute(tx)
}

export async function readWayCounts(db: Db | Tx): Promise<PairCounts[]> {
  const { rows } = await sql<PairCounts>`
    select provider, other, sum(accepted)::bigint as accepted, sum(refused)::bigint as refused,
      sum(gone)::bigint as gone,
      sum(opened)::bigint as opened
    from way_counts where home in ${everyHome(db)} group by provider, other order by provider, other`.execute(db)
  return rows
}

/** Both ways of phones that have these two addresses are counted anew. */
export async function resetWayCounts(tx: Tx, pair: readonly [string, string]): Promise<void> {
  await sql`
    delete from way_counts
    where home in ${everyHome(tx)} and provider = any(${pair}::text[]) and other = any(${pair}::text[])`.execute(tx)
}

function listByPair({ byWay = new Map() }: { byWay?: ByWay }) {
  return Array.from(byWay, ([way, { delivered: accepted = 0, ...added }]) => {
    const [provider = '', , other] = way.split(' ')
    return other === undefined ? [] : [{ row: { provider, other }, added: { ...added, accepted } }]
  }).flat()
}
