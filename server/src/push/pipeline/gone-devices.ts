import type { Deps } from '../../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import type { ProviderInUse } from '../provider/registry.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { removeDevices, restoreDevices } from '../devices/devices.ts'
import { haltSending } from './halt.ts'

type GoneDeps = Pick<Deps, 'db' | 'clock' | 'queue' | 'log' | 'providers'> & Pick<ProviderInUse, 'provider'>

/** A device that the provider called gone, about a push that left at `sentAt`. */
export type GoneDevice = { deviceId: number; sentAt: Date }

const UNDO_MS = 60 * 60 * 1_000

/**
 * Removes devices that the provider no longer knows (spec: DeviceNotRegistered), in the transaction that stores what it
 * said: no crash comes between.
 */
export async function removeGoneDevices(tx: Tx, deps: Pick<Deps, 'clock'>, gone: GoneDevice[]): Promise<void> {
  if (gone.length > 0) await removeDevices({ db: tx, clock: deps.clock }, gone)
}

/**
 * So many are gone at once that the fault must be elsewhere: none is removed, what was removed of this provider within
 * the hour comes back, and the provider halts (decision B11).
 */
export async function raiseAlarm(deps: GoneDeps, leftAt: Date): Promise<void> {
  const restored = await restoreDevices(deps, deps.provider.name, fromNow(deps.clock, -UNDO_MS))
  deps.log.error({ restored }, 'too many devices are reported gone; none is removed')
  await haltSending(deps, 'DeviceNotRegistered', leftAt)
}
