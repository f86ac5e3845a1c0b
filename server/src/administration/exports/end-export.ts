import type { AdministrationDeps } from '../deps.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { giveUpExport } from './exports.queries.ts'

/** Ends an export that makes no progress: it has failed, and whoever still works on it finds that out. */
export async function endExport(
  { db, clock }: Pick<AdministrationDeps, 'db' | 'clock'>,
  exportId: number,
): Promise<void> {
  await inTransaction(db, (tx) => giveUpExport(tx, exportId, 'STALLED', fromNow(clock)))
}
