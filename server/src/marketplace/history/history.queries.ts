import { sql } from 'kysely'
import { asRows } from '../../platform/db/arrays.ts'
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

const COLUMNS = {
  entity: 'text',
  entity_id: 'bigint',
  user_id: 'bigint',
  from_state: 'text',
  to_state: 'text',
  actor: 'text',
  actor_id: 'bigint',
  note: 'text',
  at: 'timestamptz',
} as const satisfies Record<keyof StoredChange, string>

/** However many there are: a value for each field of thousands would be more than a statement takes. */
export async function insertStateChanges(tx: Tx, changes: StoredChange[]): Promise<void> {
  const names = sql.join(Object.keys(COLUMNS).map((name) => sql.ref(name)))
  await sql`insert into state_changes (${names}) select * from ${asRows(changes, COLUMNS)}`.execute(tx)
}

export async function emptyUserNotes(tx: Tx, userIds: number[]): Promise<void> {
  await tx
    .updateTable('state_changes')
    .set({ note: null })
    .where('actor_id', 'in', userIds)
    .where('note', 'is not', null)
    .execute()
}
