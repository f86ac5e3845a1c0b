import type { Db, Tx } from '../../platform/db/connect.ts'
import { insertDefaultSettings } from './settings.queries.ts'

/** Creates the settings of a new account: notifications are on (decision B7). */
export async function createDefaultSettings(db: Db | Tx, userId: number): Promise<void> {
  await insertDefaultSettings(db, userId)
}
