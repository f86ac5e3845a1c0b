import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Entity, MarketplaceTables } from '../../platform/tables/marketplace-tables.ts'

export type StoredChange = Omit<MarketplaceTables['state_changes'], 'state_change_id'>

export function listStateChanges(db: Db | Tx, entity: Entity, entityId: number, limit: number) {
  return db
    .selectFrom('state_changes')
    .select(['from_state', 'to_state', 'actor', 'actor_id', 'note', 'at'])
    .where((on) => on.and({ entity, entity_id: entityId }))
    .orderBy('state_change_id', 'desc')
    .limit(limit)
    .execute()
}

export async function insertStateChanges(tx: Tx, changes: StoredChange[]): Promise<void> {
  await tx.insertInto('state_changes').values(changes).execute()
}

export async function emptyUserNotes(tx: Tx, userIds: number[]): Promise<void> {
  await tx
    .updateTable('state_changes')
    .set({ note: null })
    .where('actor_id', 'in', userIds)
    .where('note', 'is not', null)
    .execute()
}
