import type { Tx } from '../../platform/db/connect.ts'
import { addCounts } from '../records/counts.queries.ts'
import { endUnsentToDevice } from '../records/notifications.queries.ts'

/** Cancels what is unsent on a device that is the user's no longer (decision B10). */
export async function cancelUnsent(tx: Tx, device: { userId: number; deviceId: number }, now: Date): Promise<void> {
  const ended = await endUnsentToDevice(tx, device, 'DeviceMoved', now)
  await addCounts(tx, ended, device.userId)
}
