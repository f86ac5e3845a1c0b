import type { Db, Tx } from '../../platform/db/connect.ts'
import { existing } from '../../platform/shared/errors.ts'
import {
  findLastDecision,
  findPage,
  listOpenSwapsWith,
  type Content,
  type OwnersDecision,
  type PageRow,
  type SwapOfProduct,
} from './product-page.queries.ts'

const SWAPS_SHOWN = 20

/** Why somebody cannot ask for a product now; null: it can be asked for. */
type Hindrance = 'own' | 'requested_already' | 'reserved' | 'swapped' | 'paused'

export type ProductPage = {
  row: PageRow
  /** The latest revision for the owner, the one that others see for everybody else. */
  content: Content
  isVerified: boolean
  swaps: SwapOfProduct[]
  hindrance: Hindrance | null
  own: { decision: OwnersDecision | undefined } | null
}

/** Others see the verified revision while a later one waits (ADR 14). 404 when the viewer may not see it, also
 * across a block. */
export async function productFor(db: Db | Tx, viewerId: number, productId: number): Promise<ProductPage> {
  const row = existing(await findPage(db, viewerId, productId), 'This product')
  const isOwn = row.user_id === viewerId
  const swaps = await listOpenSwapsWith(db, { viewerId, productId, limit: SWAPS_SHOWN })
  return {
    row,
    content: isOwn ? row.content : (row.kept ?? row.content),
    isVerified: row.verification === 'verified' || (!isOwn && row.kept !== null),
    swaps,
    hindrance: isOwn ? 'own' : findHindrance(row),
    own: isOwn ? { decision: await findLastDecision(db, productId) } : null,
  }
}

function findHindrance({ status, is_requested }: PageRow): Hindrance | null {
  if (status === 'reserved' || status === 'swapped' || status === 'paused') return status
  return is_requested ? 'requested_already' : null
}
