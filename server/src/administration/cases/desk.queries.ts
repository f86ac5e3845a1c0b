import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Desk } from '../../platform/tables/office-tables.ts'

export type Lease = { product_id: number; holder_id: number; holder_name: string; until: Date }

/** False while somebody else holds it. */
export async function takeLease(
  tx: Tx,
  lease: { desk: Desk; productId: number; holderId: number; until: Date; now: Date },
): Promise<boolean> {
  const { desk, productId, holderId, until, now } = lease
  const { rows } = await sql`
    insert into desk_leases as l (desk, product_id, holder_id, until)
    values (${desk}, ${productId}, ${holderId}, ${until})
    on conflict (desk, product_id) do update set holder_id = excluded.holder_id, until = excluded.until
    where l.holder_id = excluded.holder_id or l.until <= ${now}
    returning 1`.execute(tx)
  return rows.length > 0
}

export const DECIDED_AT = { verification: 'verification', reports: 'reported_product' } as const

/** Unexpired leases, and the decisions that wait: nobody else decides about their product. */
export function listLeases(db: Db | Tx, desk: Desk, now: Date, productId?: number): Promise<Lease[]> {
  const decided = db
    .selectFrom('desk_decisions')
    .select(['record_id as product_id', 'decided_by as holder_id', 'due_at as until'])
    .where((on) => on.and({ kind: DECIDED_AT[desk], status: 'waiting' }))
  const held = db
    .selectFrom('desk_leases')
    .select(['product_id', 'holder_id', 'until'])
    .where('desk', '=', desk)
    .where('until', '>', now)
    .where('product_id', 'not in', decided.clearSelect().select('record_id'))
    .unionAll(decided)
  const leases = db
    .selectFrom(held.as('l'))
    .innerJoin('users as u', 'u.user_id', 'l.holder_id')
    .select(['l.product_id', 'l.holder_id', 'u.name as holder_name', 'l.until'])
    .orderBy('l.product_id')
  return (productId === undefined ? leases : leases.where('l.product_id', '=', productId)).execute()
}

export async function deleteLease(
  tx: Tx,
  { desk, productId, holderId }: { desk: Desk; productId: number; holderId: number },
): Promise<void> {
  await tx
    .deleteFrom('desk_leases')
    .where((on) => on.and({ desk, product_id: productId, holder_id: holderId }))
    .execute()
}

export async function isProduct(tx: Tx, productId: number): Promise<boolean> {
  const found = await tx.selectFrom('products').select('product_id').where('product_id', '=', productId).execute()
  return found.length > 0
}
