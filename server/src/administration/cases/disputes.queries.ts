import type { Db } from '../../platform/db/connect.ts'
import type { PageBounds } from '../../platform/lists/pagination.ts'

/** `side`: who opened it, null where that was not stored. */
export type OpenDispute = Awaited<ReturnType<typeof listOpenDisputes>>[number]

export function listOpenDisputes(db: Db, { perPage, offset }: PageBounds) {
  return db
    .selectFrom('swap_disputes')
    .select(['swap_id', 'side', 'reason', 'opened_at'])
    .where('resolved_at', 'is', null)
    .orderBy('opened_at')
    .orderBy('swap_id')
    .limit(perPage)
    .offset(offset)
    .execute()
}

export async function countOpenDisputes(db: Db): Promise<number> {
  const disputes = db.selectFrom('swap_disputes').where('resolved_at', 'is', null)
  return (await disputes.select(({ fn }) => fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n
}
