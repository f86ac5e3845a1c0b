import type { Db } from '../../platform/db/connect.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { fromNow, type Clock } from '../../platform/shared/clock.ts'
import { RESTORED, RESTORING } from '../pipeline/halt.ts'
import { haltProviders, isAnyHaltedAs } from '../provider/provider-state.queries.ts'
import { markMessagesRestored } from '../records/messages.queries.ts'
import { markUnknown } from '../records/notifications.queries.ts'
import { listOpenCopiesAfter } from './restored.queries.ts'

const BATCHES_A_STEP = 500

type RestoredDeps = { db: Db; clock: Clock }

/** Before any process can start on the restored database; until `endRestore` none does. */
export async function beginRestore({ db, clock }: RestoredDeps): Promise<void> {
  await haltProviders(db, RESTORING, fromNow(clock))
}

export async function endRestore({ db, clock }: RestoredDeps): Promise<void> {
  await haltProviders(db, RESTORED, fromNow(clock))
}

/** Throws where a restore has died: what was sent since the backup was not doubted, and sessions did not end. */
export async function expectRestoreEnded(db: Db): Promise<void> {
  if (await isAnyHaltedAs(db, RESTORING))
    throw new Error('A restore into this database has not ended. If none runs any more, restore into a new database.')
}

/** Copies without a ticket become unknown, later first copies possible duplicates (ADR 050); all in one transaction. */
export async function doubtUnsent({ db, clock }: RestoredDeps): Promise<{ messages: number; copies: number }> {
  const now = fromNow(clock)
  return inPlannedTransaction(db, 'by index', async (tx) => {
    let found = 0
    for (let after: number | undefined = 0; after !== undefined;) {
      const { last, copies } = await listOpenCopiesAfter(tx, after, BATCHES_A_STEP)
      await markUnknown(tx, copies, now)
      found += copies.length
      after = last
    }
    return { messages: await markMessagesRestored(tx, now), copies: found }
  })
}
