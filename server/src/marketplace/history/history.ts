import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Entity } from '../../platform/tables/marketplace-tables.ts'
import {
  emptyNotesOf,
  insertStateChanges,
  listStateChanges,
  type StateChange as StateChangeRow,
} from './history.queries.ts'

/** A change of a record's state; `user_id`: the person it is about, with whom it is forgotten. */
export type StateChange = StateChangeRow

const SHOWN = 50

/** Leaves an event row for each change of state, in the transaction that makes it (decision D). */
export async function recordStateChanges(tx: Tx, changes: StateChange[]): Promise<void> {
  if (changes.length > 0) await insertStateChanges(tx, changes)
}

/** The last 50 changes of a record's state, newest first. */
export function historyOf(db: Db | Tx, entity: Entity, entityId: number) {
  return listStateChanges(db, entity, entityId, SHOWN)
}

/** Forgets what these people noted when they changed something, as when accounts are purged. The changes stay. */
export async function forgetInHistory(tx: Tx, userIds: number[]): Promise<void> {
  await emptyNotesOf(tx, userIds)
}
