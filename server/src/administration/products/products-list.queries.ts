import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { wordsIn } from '../../platform/db/inline.ts'
import { OPEN_SWAP } from '../../platform/shared/words.ts'

export async function countProductSwaps(db: Db | Tx, productId: number): Promise<{ total: number; open: number }> {
  const { rows } = await sql<{ total: number; open: number }>`
    select count(*) as total,
      count(*) filter (where s.status in ${sql.raw(wordsIn(OPEN_SWAP))}) as open
    from swap_items i join swaps s using (swap_id) where i.product_id = ${productId}`.execute(db)
  return rows[0] ?? { total: 0, open: 0 }
}
