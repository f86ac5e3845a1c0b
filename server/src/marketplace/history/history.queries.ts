import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Entity, MarketplaceTables } from '../../platform/tables/marketplace-tables.ts'

/** A change of a record's state; `user_id`: the person it is about, with whom it is forgotten. */
export type StateChange = Omit<MarketplaceTables['state_changes'], 'state_change_id'>

/** The last changes of a record, newest first. */
export function listStateChanges(db: Db | Tx, entity: Entity, entityId: number, limit: number) {
  return db
    .selectFrom('state_changes')
    .select(['from_state', 'to_state', 'actor', 'actor_id', 'note', 'at'])
    .where('entity', '=', entity)
    .where('entity_id', '=', entityId)
    .orderBy('state_change_id', 'desc')
    .limit(limit)
    .execute()
}

/** Appends changes, in one statement. */
export async function insertStateChanges(tx: Tx, changes: StateChange[]): Promise<void> {
  await tx.insertInto('state_changes').values(changes).execute()
}

/** Empties the notes of changes that these people made. */
export async function emptyNotesOf(tx: Tx, userIds: number[]): Promise<void> {
  await tx
    .updateTable('state_changes')
    .set({ note: null })
    .where('actor_id', 'in', userIds)
    .where('note', 'is not', null)
    .execute()
}
