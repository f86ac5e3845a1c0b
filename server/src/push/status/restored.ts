import type { PushDeps } from '../deps.ts'
import type { Db, Tx } from '../../platform/db/connect.ts'
import { inPlannedTransaction } from '../../platform/db/planner.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { RESTORED, RESTORING } from '../pipeline/halt.ts'
import { haltProviders, isAnyHaltedAs } from '../provider/provider-state.queries.ts'
import { listHomes } from '../records/home.queries.ts'
import { markMessagesRestored } from '../records/messages.queries.ts'
import { doubt, isOpenIn, waits } from '../ledger/ledger.ts'
import { carryOut, planFor } from '../ledger/plan.ts'
import { lockOpenCopies } from '../ledger/requests.queries.ts'
import { lockWaitingCopies } from '../ledger/work.queries.ts'

const WORK_A_STEP = 500

/** It runs before any process can start on the restored database; until `endRestore` none does. */
export async function beginRestore({ db, clock }: Pick<PushDeps, 'db' | 'clock'>): Promise<void> {
  await haltProviders(db, RESTORING, fromNow(clock))
}

export async function endRestore({ db, clock }: Pick<PushDeps, 'db' | 'clock'>): Promise<void> {
  await haltProviders(db, RESTORED, fromNow(clock))
}

/** Throws where a restore has died: what was sent since the backup was not doubted, and sessions did not end. */
export async function expectRestoreEnded(db: Db): Promise<void> {
  if (await isAnyHaltedAs(db, RESTORING))
    throw new Error(
      'A restore into this database has not ended. If none runs any more, run `manage after-recovery`, or restore into a new database.',
    )
}

/** Copies without a ticket become unknown, later first copies possible duplicates (ADR 17); all in one transaction. */
export async function doubtUnsent({
  db,
  clock,
}: Pick<PushDeps, 'db' | 'clock'>): Promise<{ messages: number; copies: number }> {
  const now = fromNow(clock)
  return inPlannedTransaction(db, 'by index', async (tx) => {
    let found = 0
    for (const home of listHomes(tx)) found += (await doubtWaiting(tx, home, now)) + (await doubtOpen(tx, home, now))
    return { messages: await markMessagesRestored(tx, now), copies: found }
  })
}

async function doubtWaiting(tx: Tx, home: number, now: Date): Promise<number> {
  let found = 0
  for (let after: number | undefined = 0; after !== undefined;) {
    const waiting = await lockWaitingCopies(tx, home, after, WORK_A_STEP)
    const plan = await planFor(tx, home, waiting, now)
    for (const { batchId, places } of waiting) {
      const ledger = plan.ledger(batchId)
      plan.changed.add(batchId)
      // The others have a ticket, which came late.
      const open = places.filter((place) => waits(ledger, place))
      for (const place of open) doubt(ledger, place, now)
      found += open.length
    }
    await carryOut(tx, plan)
    after = waiting.at(-1)?.workId
  }
  return found
}

/** Copies that a request was about: its lease ends, and then they are sent again. */
async function doubtOpen(tx: Tx, home: number, now: Date): Promise<number> {
  const requested = await lockOpenCopies(tx, home)
  const plan = await planFor(tx, home, requested, now)
  const open = requested.filter(({ batchId, place, round }) => isOpenIn(plan.ledger(batchId), place, round))
  for (const { batchId, place } of open) doubt(plan.ledger(batchId), place, now)
  for (const { batchId } of open) plan.changed.add(batchId)
  await carryOut(tx, plan)
  return open.length
}
