import type { Db, Tx } from '../../db/connect.ts'
import type { ActorKind, Entity } from '../../db/marketplace-tables.ts'

export type StateChange = {
  entity: Entity
  entity_id: number
  /** The person it is about, with whom it is forgotten. */
  user_id: number | null
  from_state: string | null
  to_state: string
  actor: ActorKind
  actor_id: number | null
  note: string | null
  at: Date
}

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
