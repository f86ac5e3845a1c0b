import type { Db, Tx } from '../../platform/db/connect.ts'
import { insertDefaultSettings } from './settings.queries.ts'

/** Gives a new account its settings: notifications are on (decision B7). */
export async function createDefaultSettings(db: Db | Tx, userId: number): Promise<void> {
  await insertDefaultSettings(db, userId)
}
