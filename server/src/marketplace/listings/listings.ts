import type { Db } from '../../platform/db/connect.ts'
import type { Source } from '../../platform/db/one-message.ts'
import { errors } from '../../platform/shared/errors.ts'
import { findCards, type BrowseFilter, type BrowsePage } from './browse.queries.ts'
import type { Card } from './cards.queries.ts'
import { listCategories, listTree, type CategoryRow } from './categories.queries.ts'

const WORDS_MAX = 8

export type BrowseWishes = Omit<BrowseFilter, 'categoryIds'> & {
  /** The slug or the id of a category; those below it count too. */
  category?: string | undefined
}

/**
 * The products on the market after a cursor, one more than the limit when there are more: those of others, and not
 * across a block (decision E). 422 on a category that there is not, and on a search of more than eight words or of none.
 */
export async function browse(
  source: Source,
  { category, ...wishes }: BrowseWishes,
  page:
    Omit<Extract<BrowsePage, { by: 'newest' }>, 'filter'> | Omit<Extract<BrowsePage, { by: 'most_liked' }>, 'filter'>,
): Promise<Card[]> {
  if (wishes.search !== undefined) refuseFaultySearch(wishes.search)
  const categoryIds = category === undefined ? undefined : await listTree(source.db, category)
  if (categoryIds?.length === 0) throw errors.validation({ category: ['no such category'] })
  return findCards(source, { ...page, filter: { ...wishes, categoryIds } })
}

function refuseFaultySearch(search: string): void {
  const words = search.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  if (words.length === 0) throw errors.validation({ search: ['must hold a letter or a digit'] })
  if (words.length > WORDS_MAX) throw errors.validation({ search: [`must have at most ${WORDS_MAX} words`] })
}

/** A category with how many products lists hold of it and of those below it. */
export type CountedCategory = CategoryRow & { products: number }

/** All categories by name. */
export async function countedCategories(db: Db): Promise<CountedCategory[]> {
  const rows = await listCategories(db)
  const below = Map.groupBy(rows, (row) => row.parent_id)
  // A category that were below itself would be counted once.
  const total = ({ category_id, listed }: (typeof rows)[number], seen: ReadonlySet<number>): number =>
    seen.has(category_id)
      ? 0
      : (below.get(category_id) ?? []).reduce((sum, row) => sum + total(row, new Set([...seen, category_id])), listed)
  return rows.map(({ category_id, parent_id, slug, name, ...row }) => ({
    category_id,
    parent_id,
    slug,
    name,
    products: total({ category_id, parent_id, slug, name, ...row }, new Set()),
  }))
}
