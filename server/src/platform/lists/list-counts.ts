import type { Db } from '../db/connect.ts'
import type { Source } from '../db/one-message.ts'
import { sharing } from '../concurrency/sharing.ts'
import { findWrongCounts, KEPT_LISTS, findKeptTotal, rebuildListCounts, type Counted } from './list-counts.queries.ts'

export type KeptTotals = (counted: Counted) => Promise<number>

/** Concurrent requests for the same total share one statement (ADR 13). */
export function createKeptTotals(source: Source): KeptTotals {
  return sharing((counted: Counted) => findKeptTotal(source, counted), JSON.stringify)
}

export async function checkListCounts(db: Db): Promise<{ text: string; isGood: boolean }> {
  const wrong = await findWrongCounts(db)
  const lines = wrong.map(
    ({ list, facets, kept, counted }) => `${list} ${facets.join(', ')}: kept ${kept}, counted ${counted}`,
  )
  return { text: wrong.length === 0 ? 'All kept totals are right.' : lines.join('\n'), isGood: wrong.length === 0 }
}

export async function recountLists(db: Db): Promise<{ text: string; isGood: boolean }> {
  const lines: string[] = []
  for (const list of KEPT_LISTS) lines.push(`${list}: ${await rebuildListCounts(db, list)} rows.`)
  return { text: lines.join('\n'), isGood: true }
}
