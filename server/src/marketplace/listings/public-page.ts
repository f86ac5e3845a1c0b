import type { Source } from '../../platform/db/one-message.ts'
import { existing } from '../../platform/shared/must.ts'
import { findCards, type BrowseKeys } from './browse.queries.ts'
import type { Card } from './cards.queries.ts'
import { findPublicPage, type PublicRow } from './public-page.queries.ts'

type Wanted = { viewerId: number; userId: number; limit: number; after: BrowseKeys['newest'] | undefined }

/** A person and the listed products, newest first, one more than the limit when there are more. 404 across a block. */
export async function publicPageOf(
  source: Source,
  { viewerId, userId, limit, after }: Wanted,
): Promise<{ person: PublicRow; cards: Card[] }> {
  const person = existing(await findPublicPage(source.db, viewerId, userId), 'This user')
  return {
    person,
    cards: await findCards(source, { viewerId, filter: { ownerId: userId }, limit, by: 'newest', after }),
  }
}
