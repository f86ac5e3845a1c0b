import type { Db } from '../../platform/db/connect.ts'
import { listCards, type Card } from './cards.queries.ts'
import { listMatches, type MatchRow, type TimeKeys } from './liked.queries.ts'

const SHOWN = 10

type Wanted = { userId: number; after: TimeKeys | undefined; limit: number }

export type Match = { row: MatchRow; mine: Card[]; theirs: Card[] }

export async function matchesOf(db: Db, wanted: Wanted): Promise<Match[]> {
  const rows = await listMatches(db, { ...wanted, shown: SHOWN })
  const ids = rows.flatMap(({ mine, theirs }) => [...mine, ...theirs])
  const cards = await listCards(db, wanted.userId, ids)
  const cardsOf = (productIds: number[]) => productIds.flatMap((id) => cards.get(id) ?? [])
  return rows.map((row) => ({ row, mine: cardsOf(row.mine), theirs: cardsOf(row.theirs) }))
}
