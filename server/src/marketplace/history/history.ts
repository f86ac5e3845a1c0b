import type { Db, Tx } from '../../platform/db/connect.ts'
import type { Entity } from '../../platform/tables/marketplace-tables.ts'
import type { Work } from '../../platform/work/work.ts'
import { insertStateChanges, listStateChanges, type StoredChange } from './history.queries.ts'

/** `user_id`: the person whom the change is about, and with whom it is forgotten. `actor_id`: by default who acts. */
export type StateChange = Omit<StoredChange, 'actor_id' | 'note' | 'at'> &
  Partial<Pick<StoredChange, 'actor_id' | 'note'>>

const SHOWN = 50

/** Appends changes, in the transaction that makes them (decision D). */
export async function recordStateChanges(work: Pick<Work, 'tx' | 'by' | 'now'>, changes: StateChange[]): Promise<void> {
  if (changes.length === 0) return
  const at = work.now()
  const rows = changes.map((change) => {
    const actor_id = change.actor === 'system' ? null : work.by.userId
    return { actor_id, note: null, ...change, at }
  })
  await insertStateChanges(work.tx, rows)
}

/** Newest first. */
export function findHistory(db: Db | Tx, entity: Entity, entityId: number) {
  return listStateChanges(db, entity, entityId, SHOWN)
}
