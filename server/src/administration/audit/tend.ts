import type { Db } from '../../platform/db/connect.ts'
import { runApart, type Chores } from '../../platform/shared/chores.ts'
import { fromNow } from '../../platform/shared/clock.ts'
import type { Log } from '../../platform/shared/log.ts'
import type { AuditDeps } from '../../platform/audit/audit.ts'
import { deleteNobodysOrigins, takeUntoldHead } from '../../platform/audit/audit.queries.ts'
import { foldRepeats } from '../../platform/audit/repeats.ts'

type TendDeps = AuditDeps & { db: Db; log: Log }

/** So long is kept where a call came from that concerns no account: a login under an address that nobody has. */
export const NOBODY_KEPT_MS = 7 * 86_400_000

/**
 * What the log needs every minute: counts of repeated calls become entries, old origins of nobody go, and how many entries
 * there are and the hash of the last are written to the service's log, where nobody who can write the database reaches.
 */
export async function tendAudit(deps: TendDeps): Promise<void> {
  await runApart(deps.log, auditChores(deps))
}

/** The parts of it. */
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
