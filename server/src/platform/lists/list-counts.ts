import type { Db } from '../db/connect.ts'
import { findWrongCounts, KEPT_LISTS, rebuildListCounts } from './list-counts.queries.ts'

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
