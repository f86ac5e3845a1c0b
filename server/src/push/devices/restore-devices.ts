import type { Tx } from '../../platform/db/connect.ts'
import { withPlans } from '../../platform/db/planner.ts'
import { errors } from '../../platform/shared/errors.ts'
import type { Work } from '../../platform/work/work.ts'
import { isDuplicate, RESTORED_A_STEP } from './devices.ts'
import { restoreGone } from './devices.queries.ts'
import { countGone, type GoneCount, type GoneFilter } from './removed-devices.queries.ts'

export type Restored = GoneCount & { restored: number }

/** Oldest removal first, up to 10,000 a call (ADR 5); 409 when one of them registers at this moment. */
export async function restoreRemoved(
  { tx, now, audit }: Work,
  { isDryRun, ...filter }: GoneFilter & { isDryRun: boolean },
): Promise<Restored> {
  return withPlans(tx, 'by index', async () => {
    const restored = isDryRun ? 0 : await restore(tx, filter, now())
    if (!isDryRun) {
      const change = { before: null, after: { ...filter, restored }, subjectId: null }
      await audit({ action: 'devices.restore', entity: 'device', change })
    }
    return { restored, ...(await countGone(tx, filter)) }
  })
}

async function restore(tx: Tx, filter: GoneFilter, now: Date): Promise<number> {
  try {
    return await restoreGone(tx, filter, now, RESTORED_A_STEP)
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw errors.conflict('One of these phones is being registered at the moment. Try again.')
  }
}
