import type { Deps } from '../../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { must } from '../../platform/shared/must.ts'
import type { LockedBatch } from '../records/batch-locks.queries.ts'
import type { CountChange } from '../records/counts.queries.ts'
import { endBatches } from '../records/end-batches.ts'
import { recheckMessages } from './checks.queries.ts'

export type Checked = { batches: LockedBatch[]; counts: CountChange[] }

/** Skips users of stale batches, ends tried copies with `MessageStale`; the others get their present text (ADR 042). */
export async function endStale(
  { isStale }: Pick<Deps, 'isStale'>,
  tx: Tx,
  batches: LockedBatch[],
  now: Date,
): Promise<Checked> {
  const messageIds = new Set(batches.filter((batch) => batch.rechecks).map((batch) => batch.message_id))
  if (messageIds.size === 0) return { batches, counts: [] }
  const found = new Map((await recheckMessages(tx, [...messageIds], isStale)).map((one) => [one.message_id, one]))
  const current = batches.flatMap((batch): LockedBatch[] => {
    if (!batch.rechecks) return [batch]
    const { stale, title, body, data } = must(found.get(batch.message_id), 'message of a locked batch')
    return stale ? [] : [{ ...batch, title, body, data }]
  })
  const stale = batches.filter((batch) => found.get(batch.message_id)?.stale === true)
  return { batches: current, counts: await endBatches(tx, stale, { code: 'MessageStale', reason: 'stale' }, now) }
}
