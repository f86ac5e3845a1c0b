import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Entity, MarketplaceTables } from '../../platform/tables/marketplace-tables.ts'
import { emptyNotesOf, insertStateChanges, listStateChanges } from './history.queries.ts'

/** `user_id`: the person whom the change is about, and with whom it is forgotten. */
export type StateChange = Omit<MarketplaceTables['state_changes'], 'state_change_id'>

const SHOWN = 50

/** Appends changes, in the transaction that makes them (decision D). */
export async function recordStateChanges(tx: Tx, changes: StateChange[]): Promise<void> {
  if (changes.length > 0) await insertStateChanges(tx, changes)
}

/** Newest first. */
export function historyOf(db: Db | Tx, entity: Entity, entityId: number) {
  return listStateChanges(db, entity, entityId, SHOWN)
}

/** Forgets the notes of people who are purged. The changes stay. */
export async function forgetInHistory(tx: Tx, userIds: number[]): Promise<void> {
  await emptyNotesOf(tx, userIds)
}
