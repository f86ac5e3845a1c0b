import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/connect.ts'

export type Sides = { offered: number[]; requested: number[] }

export async function listSwapProducts(db: Db | Tx, swapIds: number[]): Promise<number[]> {
  const { rows } = await sql<{ product_id: number }>`
    select distinct product_id from swap_items where swap_id = any(${swapIds}) order by product_id`.execute(db)
  return rows.map((row) => row.product_id)
}

/** False when the requester asks for one of them in another proposal; the transaction must then roll back. */
export async function insertItems(
  tx: Tx,
  { swapId, requesterId, offered, requested }: Sides & { swapId: number; requesterId: number | null },
): Promise<boolean> {
  const { rows } = await sql`
    insert into swap_items (swap_id, product_id, side, asked_by)
    select ${swapId}, product_id, side, case side when 'requested' then ${requesterId}::bigint end
    from (select unnest(${offered}::bigint[]) as product_id, 'offered' as side
      union all select unnest(${requested}::bigint[]), 'requested') given
    order by product_id
    on conflict (asked_by, product_id) where asked_by is not null do nothing
    returning product_id`.execute(tx)
  return rows.length === offered.length + requested.length
}

export async function deleteItems(tx: Tx, swapId: number): Promise<void> {
  await sql`delete from swap_items where swap_id = ${swapId}`.execute(tx)
}

/** No other swap can be accepted with products that are held. */
export async function holdItems(tx: Tx, swapId: number): Promise<void> {
  await sql`update swap_items set is_held = true, asked_by = null where swap_id = ${swapId}`.execute(tx)
}

export async function releaseItems(tx: Tx, swapIds: number[]): Promise<number[]> {
  const { rows } = await sql<{ product_id: number }>`
    with held as (select product_id from swap_items where swap_id = any(${swapIds}) and is_held),
    released as (
      update swap_items set is_held = false, asked_by = null
      where swap_id = any(${swapIds}) and (is_held or asked_by is not null))
    select p.product_id from held join products p using (product_id) where p.status = 'reserved'
      and p.deleted_at is null
    order by p.product_id`.execute(tx)
  return rows.map((row) => row.product_id)
}
