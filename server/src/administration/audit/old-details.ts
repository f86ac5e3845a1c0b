import type { AdministrationDeps } from '../deps.ts'
import { forgetDetailsBefore, type AuditKind } from '../../platform/audit/audit.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { fromNow } from '../../platform/shared/clock.ts'

const DAY_MS = 86_400_000
const DETAILS_A_RUN = 20_000

/** Details are deleted by whole UTC days, so at most one entry a day and kind tells of it. The entries stay, and with
 * them the chain (ADR 12). */
export async function forgetOldDetails(
  deps: Pick<AdministrationDeps, 'db' | 'clock' | 'config' | 'auditKeys'>,
): Promise<void> {
  const kinds: [AuditKind, number][] = [
    ['sign-ins', deps.config.RETENTION_SIGN_IN_DAYS],
    ['others', deps.config.RETENTION_AUDIT_DAYS],
  ]
  const today = Math.floor(fromNow(deps.clock).getTime() / DAY_MS)
  for (const [kind, days] of kinds) {
    const before = new Date((today - days) * DAY_MS)
    await inTransaction(deps.db, (tx) => forgetDetailsBefore(tx, deps, { kind, before, limit: DETAILS_A_RUN }))
  }
}
