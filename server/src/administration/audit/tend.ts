import type { Db } from '../../platform/db/connect.ts'
import { runApart, type Chores } from '../../platform/shared/chores.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import type { Log } from '../../platform/shared/log.ts'
import type { AuditDeps } from '../../platform/audit/audit.ts'
import { deleteNobodysOrigins, takeUntoldHead } from '../../platform/audit/audit.queries.ts'
import { foldRepeats } from '../../platform/audit/repeats.ts'

type TendDeps = AuditDeps & { db: Db; log: Log }

/** How long the origin of a call that concerns no account is kept: a login with an unknown address. */
export const NOBODY_KEPT_MS = 7 * 86_400_000

/**
 * What the log needs every minute: counts of repeated calls become entries, old origins without an account are deleted,
 * and the number of entries and the last hash are written to the service's log, which someone with access to the
 * database cannot change.
 */
export async function tendAudit(deps: TendDeps): Promise<void> {
  await runApart(deps.log, auditChores(deps))
}

/** The chores of `tendAudit`. */
export function auditChores(deps: TendDeps): Chores {
  return {
    'fold repeated denials': () => foldRepeats(deps),
    'forget origins of nobody': () => deleteNobodysOrigins(deps.db, fromNow(deps.clock, -NOBODY_KEPT_MS)),
    'tell the head of the audit log': () => tellHead(deps),
  }
}

async function tellHead({ db, log }: TendDeps): Promise<void> {
  const head = await takeUntoldHead(db)
  if (head) log.info({ audit_entries: head.audit_id, audit_head: head.hash }, 'the audit log ends here')
}
