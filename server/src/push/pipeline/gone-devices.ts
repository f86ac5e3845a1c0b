import type { Deps } from '../../deps.ts'
import type { Tx } from '../../platform/db/connect.ts'
import type { ProviderInUse } from '../provider/registry.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { removeDevices, restoreDevices } from '../devices/devices.ts'
import { haltSending } from './halt.ts'

type GoneDeps = Pick<Deps, 'db' | 'clock' | 'queue' | 'log' | 'providers'> & Pick<ProviderInUse, 'provider'>

export type GoneDevice = { deviceId: number; sentAt: Date }

const UNDO_MS = 60 * 60 * 1_000

/** In the transaction that stores what the provider said: no crash comes between. */
export async function removeGoneDevices(tx: Tx, deps: Pick<Deps, 'clock'>, gone: GoneDevice[]): Promise<void> {
  if (gone.length > 0) await removeDevices({ db: tx, clock: deps.clock }, gone)
}

/** Too many are gone: none is removed, those of the last hour come back, and the provider halts (decision B11). */
export async function raiseAlarm(deps: GoneDeps, leftAt: Date): Promise<void> {
  const restored = await restoreDevices(deps, deps.provider.name, fromNow(deps.clock, -UNDO_MS))
  deps.log.error({ restored }, 'too many devices are reported gone; none is removed')
  await haltSending(deps, 'DeviceNotRegistered', leftAt)
}
