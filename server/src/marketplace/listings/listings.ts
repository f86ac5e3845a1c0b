import type { Db } from '../../platform/db/connect.ts'
import type { Source } from '../../platform/db/one-message.ts'
import { errors, existing } from '../../platform/shared/errors.ts'
import { findCards, type BrowseFilter, type BrowsePage } from './browse.queries.ts'
import { listCards, type Card } from './cards.queries.ts'
import { listMatches, type MatchRow, type TimeKeys } from './liked.queries.ts'
import { findPublicPage, type PublicRow } from './product-page.queries.ts'
import { listCategories, listTree, type CategoryRow } from './categories.queries.ts'

const WORDS_MAX = 8

export type BrowseQuery = Omit<BrowseFilter, 'words' | 'categoryIds'> & {
  search?: string | undefined
  /** Slug or id; those below it count too. */
  category?: string | undefined
}

/** The products of others, not across a block (decision E). 422 for an unknown category, and unless the search has one
 * to eight words. */
export async function browse(
  source: Source,
  { search, category, ...rest }: BrowseQuery,
  page: Omit<BrowsePage, 'filter'>,
): Promise<Card[]> {
  const words = search === undefined ? undefined : splitWords(search)
  const categoryIds = category === undefined ? undefined : await categoryTree(source.db, category)
  return findCards(source, { ...page, filter: { ...rest, words, categoryIds } })
}

/** The ids of a category, by id or slug, and of those below it. 422 when there is none. */
export async function categoryTree(db: Db, category: string): Promise<number[]> {
  const ids = await listTree(db, category)
  if (ids.length === 0) throw errors.validation({ category: ['no such category'] })
  return ids
}

/** Each once, in lower case; a word has at least one letter or digit. */
function splitWords(search: string): string[] {
  const words = [...new Set(search.toLowerCase().split(/\s+/u))].filter((word) => /[\p{L}\p{N}]/u.test(word))
  if (words.length === 0) throw errors.validation({ search: ['must contain a letter or a digit'] })
  if (words.length > WORDS_MAX) throw errors.validation({ search: [`must have at most ${WORDS_MAX} words`] })
  return words
}

/** `products`: also those of the categories below. */
export type CountedCategory = CategoryRow & { products: number }

export async function countedCategories(db: Db): Promise<CountedCategory[]> {
  const rows = await listCategories(db)
  const below = Map.groupBy(rows, (row) => row.parent_id)
  // A category below itself, which must not be, is counted once.
  const total = ({ category_id, listed }: (typeof rows)[number], excluded: ReadonlySet<number>): number =>
    excluded.has(category_id)
      ? 0
      : (below.get(category_id) ?? []).reduce(
          (sum, row) => sum + total(row, new Set([...excluded, category_id])),
          listed,
        )
  return rows.map((row) => {
    const { listed: _listed, ...category } = row
    return { ...category, products: total(row, new Set()) }
  })
}

type Page = { userId: number; limit: number }

/** A person and the listed products, newest first. 404 across a block. */
export async function buildPublicPage(
  source: Source,
  { viewerId, userId, limit, after }: Page & { viewerId: number; after: BrowsePage['after'] },
): Promise<{ person: PublicRow; cards: Card[] }> {
  const person = existing(await findPublicPage(source.db, viewerId, userId), 'This user')
  const page = { viewerId, filter: { ownerId: userId }, limit, by: 'newest', after } as const
  return { person, cards: await findCards(source, page) }
}

const SHOWN = 10

export type Match = Omit<MatchRow, 'mine' | 'theirs'> & { mine: Card[]; theirs: Card[] }

export async function findMatches(db: Db, request: Page & { after: TimeKeys | undefined }): Promise<Match[]> {
  const rows = await listMatches(db, { ...request, productLimit: SHOWN })
  const ids = rows.flatMap(({ mine, theirs }) => [...mine, ...theirs])
  const cards = await listCards(db, request.userId, ids)
  const pickCards = (productIds: number[]) => productIds.flatMap((id) => cards.get(id) ?? [])
  return rows.map((row) => ({ ...row, mine: pickCards(row.mine), theirs: pickCards(row.theirs) }))
}
