import type { Deps } from '../../deps.ts'
import { fromNow, sleep } from '../../platform/shared/clock.ts'
import { deleteMessages } from '../records/messages.queries.ts'
import { listPartitions, type Partition } from './partitions.queries.ts'

const DAY_MS = 86_400_000
const ROWS_A_STEP = 1_000
const STEPS_A_RUN = 100

/** RETENTION_MESSAGE_DAYS after their notifications (ADR 061), in a quarter of the time, so that pushes go first. */
export async function deleteOldMessages(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  signal: AbortSignal,
): Promise<void> {
  const goneBy = fromNow(deps.clock, -deps.config.RETENTION_MESSAGE_DAYS * DAY_MS)
  const before = endOf(await listPartitions(deps.db), goneBy)
  if (!before) return
  let after: number | null = 0
  for (let steps = 0; after !== null && steps < STEPS_A_RUN && !signal.aborted; steps++) {
    const from = performance.now()
    after = (await deleteMessages(deps.db, { after, before, limit: ROWS_A_STEP })).last
    await sleep(3 * (performance.now() - from), signal)
  }
}

/** The end of the last partition of which, as of all before it, the table was deleted by a moment. */
function endOf(partitions: readonly Partition[], goneBy: Date): Date | null | undefined {
  const firstThere = partitions.findIndex(({ dropped_at }) => dropped_at === null || dropped_at > goneBy)
  return partitions[(firstThere === -1 ? partitions.length : firstThere) - 1]?.made_to
}
