import type { Db } from '../db/connect.ts'
import { inOneMessage, type Source } from '../db/one-message.ts'
import { must } from '../shared/must.ts'
import { sharing } from '../shared/sharing.ts'
import {
  findWrongCounts,
  KEPT_LISTS,
  keptTotal,
  rebuildListCounts,
  type Facets,
  type KeptList,
} from './list-counts.queries.ts'

type Counted = { list: KeptList; facets: Facets }

/** Gives the kept total of the rows of a list with these facets, exact at a moment after it was asked for. */
export type KeptTotals = (counted: Counted) => Promise<number>

/** Kept totals, of which callers who ask for the same one at one time share the statement (ADR 035). */
export function createKeptTotals(source: Source): KeptTotals {
  return sharing(async ({ list, facets }: Counted) => {
    const [rows] = await inOneMessage(source, [keptTotal(list, facets)])
    return must((rows as { n: number }[] | undefined)?.[0], 'kept total').n
  }, JSON.stringify)
}

/** `npm run manage -- check-list-counts`: compares the kept totals with the rows. */
export async function checkListCounts(db: Db): Promise<{ text: string; isGood: boolean }> {
  const wrong = await findWrongCounts(db)
  const lines = wrong.map(
    ({ list, facets, kept, counted }) => `${list} ${facets.join(', ')}: kept ${kept}, counted ${counted}`,
  )
  return { text: wrong.length === 0 ? 'All kept totals are right.' : lines.join('\n'), isGood: wrong.length === 0 }
}

/** `npm run manage -- rebuild-list-counts`: counts the rows of each list anew. */
export async function recountLists(db: Db): Promise<{ text: string; isGood: boolean }> {
  const lines: string[] = []
  for (const list of KEPT_LISTS) lines.push(`${list}: ${await rebuildListCounts(db, list)} rows.`)
  return { text: lines.join('\n'), isGood: true }
}
