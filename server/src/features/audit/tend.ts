import type { Db } from '../../db/connect.ts'
import { fromNow } from '../../shared/clock.ts'
import type { Log } from '../../shared/log.ts'
import type { AuditDeps } from './audit.ts'
import { deleteNobodysOrigins, takeUntoldHead } from './audit.queries.ts'
import { foldRepeats } from './repeats.ts'

/** So long is kept where a call came from that concerns no account: a login under an address that nobody has. */
export const NOBODY_KEPT_MS = 7 * 86_400_000

/**
 * What the log needs every minute: counts of repeated calls become entries, old origins of nobody go, and how many entries
 * there are and the hash of the last are written to the service's log, where nobody who can write the database reaches.
 */
export async function tendAudit(deps: AuditDeps & { db: Db; log: Log }): Promise<void> {
  await foldRepeats(deps)
  await deleteNobodysOrigins(deps.db, fromNow(deps.clock, -NOBODY_KEPT_MS))
  const head = await takeUntoldHead(deps.db)
  if (head) deps.log.info({ audit_entries: head.audit_id, audit_head: head.hash }, 'the audit log ends here')
}
