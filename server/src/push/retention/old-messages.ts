import type { Deps } from '../../deps.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { deleteMessages } from '../records/messages.queries.ts'
import { listPartitions, type Partition } from './partitions.queries.ts'
import { deleteInSteps } from './rows.ts'

const DAY_MS = 86_400_000
const ROWS_A_STEP = 1_000

/** RETENTION_MESSAGE_DAYS after their notifications (ADR 061). */
export async function deleteOldMessages(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  signal: AbortSignal,
): Promise<void> {
  const before = messagesKeptFrom(deps, await listPartitions(deps.db))
  if (before) await deleteInSteps((step) => deleteMessages(deps.db, step), { before, limit: ROWS_A_STEP }, signal)
}

/** The end of the last partition of which, as of all before it, the table was deleted so long ago. */
export function messagesKeptFrom(
  { clock, config }: Pick<Deps, 'clock' | 'config'>,
  partitions: readonly Partition[],
): Date | null | undefined {
  const goneBy = fromNow(clock, -config.RETENTION_MESSAGE_DAYS * DAY_MS)
  const firstThere = partitions.findIndex(({ dropped_at }) => dropped_at === null || dropped_at > goneBy)
  return partitions[(firstThere === -1 ? partitions.length : firstThere) - 1]?.made_to
}
