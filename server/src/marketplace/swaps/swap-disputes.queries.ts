import { sql, type Insertable } from 'kysely'
import type { Tx } from '../../platform/db/connect.ts'
import type { DisputeResolution, MarketplaceTables } from '../../platform/tables/marketplace-tables.ts'

export async function insertDispute(tx: Tx, dispute: Insertable<MarketplaceTables['swap_disputes']>): Promise<void> {
  await tx.insertInto('swap_disputes').values(dispute).execute()
}

export async function endDisputes(
  tx: Tx,
  swapIds: number[],
  end: { resolution: DisputeResolution; note: string | null; resolvedBy: number | null; at: Date },
): Promise<void> {
  if (swapIds.length === 0) return
  await sql`
    update swap_disputes set resolution = ${end.resolution}, note = ${end.note}, resolved_by = ${end.resolvedBy}, resolved_at = ${end.at}
    where swap_id = any(${swapIds}) and resolved_at is null`.execute(tx)
}

/** Empties the reasons of people and the notes of administrators in their disputes. */
export async function forgetDisputesOf(tx: Tx, userIds: number[]): Promise<void> {
  await sql`
    update swap_disputes d set note = null,
      reason = case when (case d.side when 'owner' then s.owner_id else s.requester_id end) = any(${userIds}) then null else d.reason end
    from swaps s
    where s.swap_id = d.swap_id and (s.requester_id = any(${userIds}) or s.owner_id = any(${userIds}))`.execute(tx)
}
