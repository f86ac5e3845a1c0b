import { sql } from 'kysely'
import type { Db, Runner, Tx } from '../../platform/db/connect.ts'
import { everyHome } from './home.queries.ts'

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
export type PairCounts = { provider: string; other: string } & Pick<
  WayCounts,
  'accepted' | 'refused' | 'gone' | 'opened'
>

/** Adds what became of copies for phones with two addresses. */
export async function addWayCounts(
  tx: Runner,
  home: number,
  changes: readonly { byWay?: ByWay }[],
  slot: number,
): Promise<void> {
  const rows = sumByPair(changes)
  if (rows.length === 0) return
  await sql`
    insert into way_counts as w (home, provider, other, slot, accepted, refused, gone, opened)
    select ${home}, c.provider, c.other, ${slot}, c.accepted, c.refused, c.gone, c.opened
    from json_populate_recordset(null::way_counts, ${JSON.stringify(rows)}::json) c
    order by c.provider, c.other
    on conflict (home, provider, other, slot) do update set accepted = w.accepted + excluded.accepted,
      refused = w.refused + excluded.refused, gone = w.gone + excluded.gone,
        opened = w.opened + excluded.opened`.execute(tx)
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

function sumByPair(changes: readonly { byWay?: ByWay }[]): PairCounts[] {
  const sums = new Map<string, PairCounts>()
  for (const { byWay = new Map<string, Partial<WayCounts>>() } of changes)
    for (const [way, counts] of byWay) {
      const [provider = '', , other] = way.split(' ')
      if (other === undefined) continue
      const key = `${provider} ${other}`
      const sum = sums.get(key) ?? { provider, other, accepted: 0, refused: 0, gone: 0, opened: 0 }
      sums.set(key, sum)
      sum.accepted += counts.delivered ?? 0
      sum.refused += counts.refused ?? 0
      sum.gone += counts.gone ?? 0
      sum.opened += counts.opened ?? 0
    }
  return [...sums.values()].filter(
    (sum) => sum.accepted !== 0 || sum.refused !== 0 || sum.gone !== 0 || sum.opened !== 0,
  )
}
