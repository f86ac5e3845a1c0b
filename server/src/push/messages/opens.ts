import type { Deps } from '../../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { addCounts } from '../records/counts.queries.ts'
import { markOnDevice, openCopies } from '../records/notifications.queries.ts'
import { countPushes } from '../records/push-counts.ts'

/** A notification of a user. */
export type Target = { notificationId: number; userId: number }

export type DeviceEvent = 'shown' | 'dismissed'

export type Recorded = Target & { event: DeviceEvent }

/** Opens a user's notification and their other copies of its message. Safe to repeat; 404 for another's. */
export async function openNotification({ clock }: Pick<Deps, 'clock'>, tx: Tx, target: Target): Promise<Target> {
  const now = fromNow(clock)
  const result = await openCopies(tx, target, now)
  if (result === undefined) throw errors.notFound('This notification')
  await addCounts(tx, [result], target.userId)
  await countPushes(tx, [result], { at: now, seed: target.userId })
  return target
}

/** Records what the app saw on the phone; the first time counts. 404 for another's notification. */
export async function recordDeviceEvent(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  target: Target,
  event: DeviceEvent,
): Promise<Recorded> {
  if (!(await markOnDevice(tx, target, event, fromNow(clock)))) throw errors.notFound('This notification')
  return { ...target, event }
}
