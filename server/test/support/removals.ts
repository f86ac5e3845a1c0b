import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { restoreRemoved } from '../../src/push/devices/devices.ts'
import { commitWork } from './commit.ts'
import type { Service } from './service.ts'

/** Removes one device in fifty as gone, and brings all of them back over `deps`. */
export async function removeAndRestore(service: Service, deps: Deps): Promise<void> {
  const at = new Date(service.clock.now())
  const gone = { removed_at: at, removed_reason: 'DeviceNotRegistered' }
  await service.deps.db
    .updateTable('mobile_devices')
    .set(gone)
    .where(sql<boolean>`id % 50 = 0`)
    .execute()
  const filter = { from: at, to: new Date(at.getTime() + 1), isDryRun: false }
  expect((await commitWork(deps, restoreRemoved, filter)).restored).toBeGreaterThan(1_000)
}
