import type { Deps } from '../../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { announceAfter } from '../../platform/jobs/queue.ts'
import { must } from '../../platform/shared/must.ts'
import { insertParts } from '../records/batches.queries.ts'
import type { NewCopies } from '../records/copies.ts'
import { insertWaitingCopies } from '../records/notifications.queries.ts'

/** Makes a batch for each other provider, with its own attempts, retries and waits (ADR 036). */
export async function divideBatches(
  { queue }: Pick<Deps, 'queue'>,
  tx: Tx,
  written: NewCopies[],
  now: Date,
): Promise<void> {
  const elsewhere = written.flatMap(toElsewhere)
  if (elsewhere.length === 0) return
  const parts = await insertParts(tx, elsewhere, now)
  const partOf = new Map(parts.map((part) => [keyOf(part.of, part.provider), part]))
  const copies = elsewhere.map(({ batchId: of, userId, deviceId, provider }) => {
    const { batchId, messageId } = must(partOf.get(keyOf(of, provider)), 'part of a batch')
    return { messageId, batchId, userId, deviceId }
  })
  await insertWaitingCopies(tx, copies, now)
  announceAfter(queue, tx)
}

function toElsewhere({ providers, batch_ids, user_ids, ...rest }: NewCopies) {
  if (providers === null || !('device_ids' in rest)) return []
  return providers.map((provider, index) => ({
    provider,
    batchId: must(batch_ids[index], 'batch of a device'),
    userId: must(user_ids[index], 'user of a device'),
    deviceId: must(rest.device_ids[index], 'device of another provider'),
  }))
}

function keyOf(batchId: number, provider: string): string {
  return `${batchId} ${provider}`
}
