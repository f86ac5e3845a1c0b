import type { Tx } from '../../platform/db/connect.ts'
import type { SkipReason } from '../../platform/tables/tables.ts'
import { byFreshness, idsOf, type OpenBatch } from './batch-locks.queries.ts'
import { finishBatches } from './batches.queries.ts'
import type { CountChange } from './counts.queries.ts'
import { endUnsentOfBatches } from './notifications.queries.ts'
import { insertSkipsOfBatches } from './skips.queries.ts'

/** Unsent copies end with `code`; users who have none yet are skipped for `reason`. Returns the counts. */
export async function endBatches(
  tx: Tx,
  batches: OpenBatch[],
  { code, reason, ...how }: { code: string; reason: SkipReason; status?: 'stopped'; namesSkipped?: boolean },
  now: Date,
): Promise<CountChange[]> {
  const { fresh, tried } = byFreshness(batches)
  const ended = await endUnsentOfBatches(tx, idsOf(tried), code, now)
  if (how.namesSkipped ?? true) await insertSkipsOfBatches(tx, idsOf(fresh), reason, now)
  await finishBatches(tx, idsOf(batches), how.status ?? 'done', now)
  return [...ended, ...fresh.map(({ message_id: messageId, users }) => ({ messageId, [`skipped_${reason}`]: users }))]
}
