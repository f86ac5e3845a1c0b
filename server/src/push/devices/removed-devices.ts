import type { Deps } from '../../deps.ts'
import { recordAudit, type Actor, type AuditDeps } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/connect.ts'
import { withPlans } from '../../platform/db/planner.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import { errors } from '../../platform/shared/errors.ts'
import { countGone, restoreGone, type GoneFilter } from './devices.queries.ts'

/** About a second of work, so that no call takes long. */
const RESTORED_A_CALL = 10_000
const UNIQUE_VIOLATION = '23505'

/**
 * What a restore did: devices that came back, those that would come back with the next call, and those that are left as
 * they are, because their token or phone was registered anew since.
 */
export type Restored = { restored: number; restorable: number; left: number }

/**
 * Brings back devices that the provider called gone in a period, up to 10,000 a call, oldest removal first (ADR 013);
 * with `isDryRun` it only counts. Devices that people released or registered anew meanwhile are left. What the provider
 * says of pushes from before the restore removes none again. 409 when one of them registers at this moment.
 */
export async function restoreRemoved(
  { clock, auditKeys }: Pick<Deps, 'clock'> & AuditDeps,
  tx: Tx,
  caller: Actor,
  { isDryRun, ...filter }: GoneFilter & { isDryRun: boolean },
): Promise<Restored> {
  return withPlans(tx, 'by index', async () => {
    const restored = isDryRun ? 0 : await restore(tx, filter, fromNow(clock))
    if (!isDryRun) {
      const after = { ...filter, restored }
      const change = { before: null, after, subjectId: null }
      await recordAudit(tx, { clock, auditKeys }, caller, { action: 'devices.restore', entity: 'device', change })
    }
    return { restored, ...(await countGone(tx, filter)) }
  })
}

async function restore(tx: Tx, filter: GoneFilter, now: Date): Promise<number> {
  try {
    return await restoreGone(tx, filter, now, RESTORED_A_CALL)
  } catch (error) {
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error
    throw errors.conflict('One of these phones registered at this moment. Try again.')
  }
}
